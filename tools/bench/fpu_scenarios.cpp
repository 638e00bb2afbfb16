// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/fpu_scenarios.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace gate96::bench {
namespace {

using fpu::FpuConfig;

const char* verdict(bool shows) {
  return shows ? "shows" : "absent";
}

/// What the reports call nearly every ask, or hardly any.
constexpr double kNearlyAll = 0.95;

/// Whether `a` is over `b` by `factor`, if the intervals of the medians do not overlap.
const char* faster(const FpuRow& a, const FpuRow& b, double factor = 1) {
  if (a.low_mpps > b.high_mpps * factor) return "shows";
  return a.high_mpps < b.low_mpps * factor ? "absent" : "unresolved";
}

/// The same of the longest sections. What lengthens one is a neighbour's doing, so the shortest of the
/// longest is the best guess, and the lower quartile its doubt.
const char* longer(const FpuRow& a, const FpuRow& b, double factor) {
  const auto over = [factor](std::uint64_t x, std::uint64_t y) {
    return static_cast<double>(x) > static_cast<double>(y) * factor;
  };
  if (over(a.run.max_section_ns, b.quartile_section_ns)) return "shows";
  return over(a.quartile_section_ns, b.run.max_section_ns) ? "unresolved" : "absent";
}

/// A claim of two halves.
const char* both(std::string_view one, std::string_view other) {
  if (one == "absent" || other == "absent") return "absent";
  return one == "shows" && other == "shows" ? "shows" : "unresolved";
}

/// KiB of x86 SHA-1 in one section: the most that was proposed as a bound.
constexpr double kLaxestBound = 34;

double percent(double part, double whole) {
  return whole > 0 ? part / whole * 100 : 0;
}

FpuConfig policy(const char* profile, const char* workload) {
  FpuConfig fpu;
  fpu.profile = profile;
  fpu.workload = workload;
  return fpu;
}

FpuConfig deferring(FpuConfig fpu, unsigned budget = 32) {
  fpu.fallback = fpu::Fallback::kDefer;
  fpu.defer_budget = budget;
  return fpu;
}

Finding gateway_idle(const Rounds& rounds) {
  Finding found;
  found.rows = rounds({{"scalar", policy("never", "gateway")},
                       {"2.6.39", policy("linux-2.6.39", "gateway")},
                       {"5.18", policy("linux-5.18", "gateway")},
                       {"3.10-eager", policy("linux-3.10-eager", "gateway")}});
  const auto& r = found.rows;
  const bool granted = r[1].run.grant_share() > kNearlyAll && r[2].run.grant_share() > kNearlyAll;
  const bool refused = r[3].run.grant_share() < 1 - kNearlyAll;
  constexpr double kReported = 464.0 / 344;  // Mbit/s of IPsec over one link, SSSE3 against generic
  found.verdict = granted && refused ? faster(r[1], r[0], kReported) : "absent";
  found.seen = fmt::format(
      "2.6.39 grants {:.1f} % of asks, 5.18 {:.1f} %, 3.10-eager {:.1f} %; SIMD under 2.6.39 is {:+.0f} % "
      "over "
      "scalar",
      r[1].run.grant_share() * 100, r[2].run.grant_share() * 100, r[3].run.grant_share() * 100,
      (r[1].run.mpps() / r[0].run.mpps() - 1) * 100);
  return found;
}

Finding busy_fpu(const Rounds& rounds) {
  FpuConfig kernel_only = policy("linux-2.6.39", "busy-user-fpu");
  kernel_only.share_user = kernel_only.share_ksoftirqd = 0;
  Finding found;
  found.rows = rounds({{"all softirqs", policy("linux-2.6.39", "busy-user-fpu")},
                       {"over kernel code", kernel_only},
                       {"idle gateway", policy("linux-2.6.39", "gateway")}});
  const double refused = 1 - found.rows[1].run.grant_share();
  found.verdict = verdict(refused > kNearlyAll);
  found.seen =
      fmt::format("refused: {:.1f} % of asks over kernel code, {:.1f} % of all; {:.2f} Mpps against {:.2f}",
                  refused * 100, (1 - found.rows[0].run.grant_share()) * 100, found.rows[0].run.mpps(),
                  found.rows[2].run.mpps());
  return found;
}

Finding sticky_deferral(const Rounds& rounds) {
  const double capacity = rounds({Variant{.what = "always"}})[0].run.mpps() * 1e6;
  const Traffic load = {.rate = 0.8 * capacity};
  Finding found;
  found.rows = rounds({{"always", {}, load},
                       {"scalar in place", policy("linux-2.6.39", "mixed"), load},
                       {"deferred, 1 a drain", deferring(policy("linux-2.6.39", "mixed"), 1), load},
                       {"deferred, 32 a drain", deferring(policy("linux-2.6.39", "mixed")), load}});
  const Run& one = found.rows[2].run;
  const double refused = 1 - one.grant_share();
  constexpr double kReported = 600.0 / 200;  // Mbit/s before and after
  found.verdict = faster(found.rows[0], found.rows[2], kReported);
  found.seen = fmt::format(
      "at 80 % of SIMD's capacity {:.2f} Mpps become {:.2f}; {:.1f} % of asks refused, but {:.0f} % of "
      "packets "
      "deferred or dropped; 32 a drain: {:.2f} Mpps",
      found.rows[0].run.mpps(), one.mpps(), refused * 100,
      percent(static_cast<double>(one.deferred + one.overflow), static_cast<double>(one.received)),
      found.rows[3].run.mpps());
  return found;
}

Finding rare_deferral(const Rounds& rounds) {
  const Traffic long_run = {.seconds = 0.2};
  FpuConfig none = deferring({});
  none.simd_off_rate = 1e-4;
  none.ask = fpu::Ask::kPacket;
  none.order = fpu::Order::kNone;
  FpuConfig sa = none;
  sa.order = fpu::Order::kSa;
  Finding found;
  found.rows = rounds({{"order none", none, long_run}, {"order sa", sa, long_run}});
  const Run& loose = found.rows[0].run;
  found.verdict = verdict(loose.reordered > 0 && found.rows[1].run.reordered == 0);
  found.seen = fmt::format(
      "of {} packets {} were deferred and {} came out late; with order = \"sa\" {}. What TCP makes of it: "
      "tools/lab iperf",
      loose.received, loose.deferred, loose.reordered, found.rows[1].run.reordered);
  return found;
}

Finding queue_overflow(const Rounds& rounds) {
  const Traffic train = {.size = 256, .train = 1200};
  FpuConfig small = deferring(policy("never", "gateway"), 8);
  small.queue_limit = 100;
  FpuConfig large = small;
  large.queue_limit = 1000;
  FpuConfig backlog = small;
  backlog.backlog = true;
  Finding found;
  found.rows =
      rounds({{"limit 100", small, train}, {"limit 1000", large, train}, {"backlog", backlog, train}});
  const auto lost = [](const FpuRow& row) {
    return percent(static_cast<double>(row.run.overflow), static_cast<double>(row.run.received));
  };
  const auto& r = found.rows;
  found.verdict = verdict(lost(r[0]) > lost(r[1]) && lost(r[2]) == 0 && r[1].run.p99_us > r[0].run.p99_us);
  found.seen = fmt::format(
      "of trains of 1,200 packets limit 100 loses {:.0f} %, 1000 {:.0f} %, a backlog {:.0f} %; p99 {:.0f}, "
      "{:.0f} and "
      "{:.0f} us",
      lost(r[0]), lost(r[1]), lost(r[2]), r[0].run.p99_us, r[1].run.p99_us, r[2].run.p99_us);
  return found;
}

Finding small_work(const Rounds& rounds) {
  const auto by = [](const char* profile, fpu::Ask ask) {
    FpuConfig fpu = policy(profile, "busy-user-fpu");
    fpu.ask = ask;
    return fpu;
  };
  const Traffic small = {.size = 64};
  Finding found;
  found.rows = rounds({{"scalar", by("never", fpu::Ask::kPacket), small},
                       {"4.14, a section a packet", by("linux-4.14", fpu::Ask::kPacket), small},
                       {"4.14, a section a burst", by("linux-4.14", fpu::Ask::kBurst), small},
                       {"5.2, a section a packet", by("linux-5.2", fpu::Ask::kPacket), small},
                       {"5.2, a section a burst", by("linux-5.2", fpu::Ask::kBurst), small}});
  const auto& r = found.rows;
  found.verdict = both(faster(r[0], r[1]), faster(r[2], r[0]));
  found.seen = fmt::format(
      "64-byte packets: scalar {:.2f} Mpps; under 4.14 a section a packet {:.2f} ({:.0f} ticks of SAVE and "
      "RESTORE a packet), a section a burst {:.2f} ({:.0f}); under 5.2 {:.2f} ({:.0f}) and {:.2f} ({:.0f})",
      r[0].run.mpps(), r[1].run.mpps(), r[1].run.state_ticks_per_packet, r[2].run.mpps(),
      r[2].run.state_ticks_per_packet, r[3].run.mpps(), r[3].run.state_ticks_per_packet, r[4].run.mpps(),
      r[4].run.state_ticks_per_packet);
  return found;
}

Finding long_section(const Rounds& rounds) {
  // Runs so short that most see no interruption of the machine's, and enough that a quarter surely does not:
  // what lengthens sections of 1 us by a few is a cold start, a timer or a neighbour in the same core.
  const Traffic jumbo = {.size = 9000, .burst = 64, .seconds = 0.0003};
  FpuConfig bounded = policy("linux-5.18", "gateway");
  bounded.section_bytes = 4096;
  Finding found;
  found.rows = rounds.times(20)(
      {{"one section", policy("linux-5.18", "gateway"), jumbo}, {"4 KiB sections", bounded, jumbo}});
  const auto& r = found.rows;
  found.verdict = longer(r[0], r[1], kLaxestBound / 4);
  found.seen = fmt::format(
      "64 packets of 9,000 bytes: preemption off for {:.1f} us; in 4 KiB sections {:.1f} us, at {:.0f} % of "
      "the throughput",
      static_cast<double>(r[0].run.max_section_ns) / 1e3, static_cast<double>(r[1].run.max_section_ns) / 1e3,
      percent(r[1].run.mpps(), r[0].run.mpps()));
  return found;
}

/// Every packet arrives over kernel code that is inside a section of its own.
FpuConfig inside_section(const char* profile) {
  FpuConfig fpu = policy(profile, "mixed");
  fpu.share_task = fpu.share_ksoftirqd = fpu.share_user = fpu.share_idle = 0;
  fpu.share_kernel = fpu.share_in_section = 1;
  return fpu;
}

Finding softirq_in_section(const Rounds& rounds) {
  Finding found;
  found.rows = rounds({{"5.18", inside_section("linux-5.18")}, {"6.15", inside_section("linux-6.15")}});
  const Run& refuses = found.rows[0].run;
  const Run& waits = found.rows[1].run;
  found.verdict =
      verdict(refuses.grant_share() < 1 - kNearlyAll && waits.grant_share() > kNearlyAll && waits.waited > 0);
  found.seen = fmt::format("5.18 grants {:.1f} %; 6.15 {:.1f} %, after {} waits; p50 {:.1f} and {:.1f} us",
                           refuses.grant_share() * 100, waits.grant_share() * 100, waits.waited,
                           refuses.p50_us, waits.p50_us);
  return found;
}

Finding nested_entry(const Rounds& rounds) {
  Finding found;
  found.rows = rounds({{"4.14", inside_section("linux-4.14")}, {"sparc64", inside_section("sparc64-vis")}});
  const Run& linux = found.rows[0].run;
  const Run& sparc = found.rows[1].run;
  found.verdict =
      verdict(linux.grant_share() < 1 - kNearlyAll && sparc.grant_share() == 1 && sparc.violations == 0);
  found.seen = fmt::format(
      "inside a section 4.14 grants {:.1f} %, sparc64 {:.1f} % with {:.2f} SAVEs of halves a section and no "
      "violation",
      linux.grant_share() * 100, sparc.grant_share() * 100,
      static_cast<double>(sparc.saves) / static_cast<double>(std::max<std::uint64_t>(1, sparc.grants)));
  return found;
}

Finding few_async_workers(const Rounds& rounds) {
  FpuConfig busy = policy("linux-2.6.39", "busy-user-fpu");  // the receiving core is refused nearly always
  busy.share_user = busy.share_ksoftirqd = busy.share_task = 0;
  const auto to_lcores = [](FpuConfig fpu) {
    fpu.defer_to = fpu::DeferTo::kLcores;
    return deferring(std::move(fpu));
  };
  const Traffic large = {.size = 9000};
  Finding found;
  found.rows = rounds({{"scalar in place, one core", busy, large},
                       {"two cores: one receives, one hashes", to_lcores(busy), large},
                       {"the same, the other without SIMD", to_lcores(policy("never", "gateway")), large},
                       {"a core that only hashes with SIMD", {}, large}});
  const auto& r = found.rows;
  constexpr double kCores = 2;  // that hash in place where deferral has one of them receive
  found.verdict = faster(r[0], r[1], 1 / kCores);
  found.seen = fmt::format(
      "9,000-byte packets: {:.3f} Mpps a core in place, {:.3f} with two; deferred from one core to the other "
      "{:.3f}, without SIMD there {:.3f}. One that hashes {:.3f} falls below beyond {:.1f} cores (computed)",
      r[0].run.mpps(), kCores * r[0].run.mpps(), r[1].run.mpps(), r[2].run.mpps(), r[3].run.mpps(),
      r[3].run.mpps() / r[0].run.mpps());
  return found;
}

constexpr Scenario kScenarios[] = {
    {"gateway-idle",
     "without userland nearly every ask is granted, and SIMD's gain shows (344 to 464 Mbit/s); 3.10-eager "
     "refuses",
     "over 95 % granted under 2.6.39 and 5.18, under 5 % under 3.10-eager, and SIMD over scalar by 464 / 344",
     gateway_idle},
    {"busy-fpu", "with userland on the FPU, 2.6.39 refuses nearly every softirq over kernel code",
     "over 95 % of those asks refused", busy_fpu},
    {"sticky-deferral", "once something is deferred, throughput falls to a third until the queue drains",
     "a third or less of what goes through without deferral, one request a drain as in the kernel",
     sticky_deferral},
    {"rare-deferral", "1 packet in 10,000 deferred without order is enough to reorder",
     "any packet late without order, none with it", rare_deferral},
    {"queue-overflow", "a limit of 100 drops what 1000 or a backlog takes, later",
     "100 loses more than 1000, a backlog nothing, and what 1000 takes is later", queue_overflow},
    {"small-work", "a section a packet costs small packets more than it gives; one a burst does not",
     "a section a packet (4.14) is slower than scalar code, and one a burst is faster", small_work},
    {"long-section", "jumbo frames in one section keep preemption off too long",
     "longer than any bound in use or proposed: 34 KiB, 8.5 times a section of 4 KiB", long_section},
    {"softirq-in-section", "a softirq inside a section is refused under 5.18 and waits under 6.15",
     "under 5 % granted, and over 95 % after waiting", softirq_in_section},
    {"nested-entry", "sparc64 lets an interrupt use vectors inside a section, x86 does not",
     "under 5 % granted under 4.14, all under sparc64 without a violation", nested_entry},
    {"few-async-workers", "deferral to one worker core falls below scalar in place (large packets)",
     "two cores in place do more than one that receives and one that hashes", few_async_workers},
};

/// The middle one's interval of confidence: with so many ranks from each end, at least 93 % for 5 and 96 %
/// for 15 repetitions (binomial).
std::size_t interval_rank(std::size_t num) {
  return num < 15 ? 0 : num / 5;
}

}  // namespace

FpuRow row_of(const Variant& variant, std::vector<Run> runs) {
  std::ranges::sort(runs, {}, &Run::mpps);
  FpuRow row;
  row.what = variant.what;
  row.fpu = variant.fpu;
  row.size = variant.traffic.size;
  const std::size_t rank = interval_rank(runs.size());
  row.low_mpps = runs[rank].mpps();
  row.high_mpps = runs[runs.size() - 1 - rank].mpps();
  row.run = runs[runs.size() / 2];
  // The longest section of a run is a neighbour's doing as often as ours; what every run saw is not. Where
  // the kernel is known to have taken the core away, it says nothing.
  if (!std::ranges::all_of(runs, &Run::preempted)) std::erase_if(runs, std::mem_fn(&Run::preempted));
  std::ranges::sort(runs, {}, &Run::max_section_ns);
  row.run.max_section_ns = runs.front().max_section_ns;
  row.quartile_section_ns = runs[runs.size() / 4].max_section_ns;
  return row;
}

std::vector<FpuRow> Rounds::operator()(const std::vector<Variant>& variants) const {
  std::vector<std::vector<Run>> runs(variants.size());
  for (unsigned round = 0; round < num_; ++round) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const std::size_t at = round % 2 == 0 ? i : variants.size() - 1 - i;
      runs[at].push_back(path_.run(variants[at].fpu, variants[at].traffic));
    }
  }
  std::vector<FpuRow> rows;
  for (std::size_t i = 0; i < variants.size(); ++i) rows.push_back(row_of(variants[i], std::move(runs[i])));
  return rows;
}

std::span<const Scenario> scenarios() {
  return kScenarios;
}

}  // namespace gate96::bench
