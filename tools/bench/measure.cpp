// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/measure.h"

#include <sys/resource.h>

#include <algorithm>
#include <limits>

namespace gate96::bench {
namespace {

constexpr double kDisturbed = std::numeric_limits<double>::infinity();

/// Dirty upper halves left by one contender would slow the SSE code of the next.
void clean_upper_halves() {
  if (__builtin_cpu_supports("avx")) asm volatile("vzeroupper");
}

void prepare(Contender& contender) {
  clean_upper_halves();
  if (contender.prepare) {
    contender.prepare();
  } else {
    contender.run(1);
  }
}

double fastest_chain(std::span<const std::vector<Shot>> shots) {
  double fastest = 1e300;
  for (const auto& of_one : shots) {
    for (const Shot& shot : of_one) fastest = std::min(fastest, shot.chain);
  }
  return fastest;
}

bool enough(std::span<const std::vector<Shot>> shots, std::size_t wanted) {
  const double chain = fastest_chain(shots);
  return std::all_of(shots.begin(), shots.end(),
                     [&](const auto& of_one) { return keep_quiet(of_one, chain).size() >= wanted; });
}

Measured judge(const std::string& name, std::span<const Shot> shots, double chain, std::size_t wanted) {
  std::vector<Shot> quiet = keep_quiet(shots, chain);
  if (quiet.size() > wanted) quiet.resize(wanted);
  std::vector<double> ns;
  std::vector<double> cycles;
  for (const Shot& shot : quiet.empty() ? std::vector<Shot>(shots.begin(), shots.end()) : quiet) {
    ns.push_back(shot.ticks / tsc_hz() * 1e9);
    cycles.push_back(shot.cycles);
  }
  Measured result{.name = name, .ns = summarise(ns), .cycles = summarise(cycles), .taken = shots.size()};
  result.noisy = result.ns.spread() > kNoisySpread || quiet.size() < wanted;
  return result;
}

}  // namespace

long times_preempted() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

std::vector<Shot> keep_quiet(std::span<const Shot> shots, double fastest_chain) {
  std::vector<Shot> quiet;
  std::copy_if(shots.begin(), shots.end(), std::back_inserter(quiet),
               [&](const Shot& shot) { return shot.chain <= fastest_chain * (1 + kQuietTolerance); });
  return quiet;
}

Shot Meter::shoot(Contender& contender) {
  const long preempted_before = times_preempted();
  const std::uint64_t chain_before = time_rol_chain();
  std::uint64_t ticks = 0;
  std::uint64_t perf_cycles = 0;
  for (std::size_t part = 0; part < contender.parts; ++part) {
    prepare(contender);
    const std::uint64_t start_cycles = perf_.usable() ? perf_.read() : 0;
    const std::uint64_t start = read_tsc();
    contender.run(contender.iterations);
    ticks += read_tsc() - start - read_tsc_cost();
    if (perf_.usable()) perf_cycles += perf_.read() - start_cycles;
  }
  const std::uint64_t chain_after = time_rol_chain();
  const double mean_chain = static_cast<double>(chain_before + chain_after) / 2;
  const double messages = contender.messages * static_cast<double>(contender.iterations * contender.parts);
  const double cycles =
      perf_.usable() ? static_cast<double>(perf_cycles) : static_cast<double>(ticks) * kRolSteps / mean_chain;
  const bool preempted = times_preempted() != preempted_before;
  return {.ticks = static_cast<double>(ticks) / messages,
          .cycles = cycles / messages,
          .chain = preempted ? kDisturbed : static_cast<double>(std::max(chain_before, chain_after))};
}

void Meter::choose_iterations(Contender& contender, double shot_seconds) {
  if (contender.iterations != 0) return;
  contender.iterations = 1;
  double ticks = 1e300;
  for (int i = 0; i < 5; ++i) ticks = std::min(ticks, shoot(contender).ticks * contender.messages);
  const double wanted = shot_seconds * tsc_hz() / std::max(ticks, 1.0);
  contender.iterations = static_cast<std::size_t>(std::clamp(wanted, 1.0, 1e6));
}

std::vector<Measured> Meter::measure(std::span<Contender> contenders, const Limits& limits) {
  for (Contender& contender : contenders) choose_iterations(contender, limits.shot_seconds);
  std::vector<std::vector<Shot>> shots(contenders.size());
  const std::uint64_t deadline = read_tsc() + static_cast<std::uint64_t>(limits.max_seconds * tsc_hz());
  do {
    for (std::size_t round = 0; round < 4; ++round) {
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        const std::size_t which = round % 2 == 0 ? i : contenders.size() - 1 - i;
        shots[which].push_back(shoot(contenders[which]));
      }
    }
  } while (!enough(shots, limits.samples) && read_tsc() < deadline);

  const double chain = fastest_chain(shots);
  std::vector<Measured> results;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    results.push_back(judge(contenders[i].name, shots[i], chain, limits.samples));
  }
  return results;
}

}  // namespace gate96::bench
