// SPDX-License-Identifier: BSD-3-Clause
// `gate96-bench burst`: the engine beside the best intel-ipsec-mb manager and OpenSSL, the same packets and
// keys.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "tools/bench/authenticators.h"
#include "tools/bench/progress.h"
#include "tools/bench/session.h"
#include "tools/bench/table.h"

namespace gate96::bench {
namespace {

struct BurstOptions {
  std::vector<std::string> backends = {"auto"};
  std::vector<std::string> sizes;
  std::vector<std::size_t> ns;
  unsigned loop_seconds = 0;
};

using Authenticators = std::vector<std::unique_ptr<Authenticator>>;

std::vector<Size> sizes_of(const BurstOptions& options, bool quick) {
  std::vector<std::string> texts = options.sizes;
  if (texts.empty() && quick) texts = {"64", "imix"};
  if (texts.empty()) texts = {"64", "128", "256", "512", "1024", "1420", "8192", "imix"};
  std::vector<Size> sizes;
  for (const std::string& text : texts) {
    const std::optional<Size> size = Size::parse(text);
    if (!size || (!size->imix && size->bytes == 0) || size->bytes > 65535)
      throw UsageError(fmt::format("--sizes: {} is neither 1..65535 nor imix", text));
    sizes.push_back(*size);
  }
  return sizes;
}

std::vector<std::size_t> ns_of(const BurstOptions& options, bool quick) {
  if (!options.ns.empty()) return options.ns;
  if (quick) return {1, 32};
  return {1, 2, 4, 8, 16, 24, 32, 64, 128, 256};
}

using Choices = std::vector<hmac::BackendChoice>;

Choices choices_of(const BurstOptions& options) {
  Choices choices;
  for (const std::string& name : options.backends) {
    const hmac::BackendChoice::Named named = hmac::BackendChoice::named(name);
    if (!named.choice) throw UsageError(named.error);
    choices.push_back(*named.choice);
  }
  return choices;
}

/// The engine once a choice, then OpenSSL, then the managers.
Authenticators make_all(const BurstLoad& load, const Choices& choices) {
  Authenticators all;
  for (const hmac::BackendChoice& choice : choices) all.push_back(make_engine(load, choice));
  all.push_back(make_openssl(load));
  for (auto& manager : make_ipsec_mb(load)) all.push_back(std::move(manager));
  return all;
}

/// Nobody is timed who does not produce the tags that OpenSSL does.
void check_icvs(const Authenticators& all, const Authenticator& right) {
  for (const auto& one : all) one->run(1);
  for (const auto& one : all) {
    if (one->icvs() != right.icvs()) {
      throw std::runtime_error(fmt::format("{}: not the tags that OpenSSL gives", one->name()));
    }
  }
}

/// For each choice a row against whichever manager was fastest and one against OpenSSL.
std::vector<Row> rows_of(const std::vector<Measured>& all, std::size_t num_ours, const BurstLoad& load,
                         Size size) {
  const Measured* openssl = &all[num_ours];
  const auto best =
      std::min_element(all.begin() + static_cast<std::ptrdiff_t>(num_ours) + 1, all.end(),
                       [](const Measured& a, const Measured& b) { return a.ns.median < b.ns.median; });
  std::vector<const Measured*> rivals = {openssl};
  if (best != all.end()) rivals.insert(rivals.begin(), &*best);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < num_ours; ++i) {
    for (const Measured* rival : rivals) {
      Row row{.bench = "burst", .backend = all[i].name, .rival = rival->name, .n = load.n(), .size = size};
      set_figures(row, load.mean_len(), all[i], rival);
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<Row> measure_point(Session& session, const Choices& choices, Size size, std::size_t n) {
  const BurstLoad load(size, n);
  const Authenticators all = make_all(load, choices);
  check_icvs(all, *all[choices.size()]);
  std::vector<Contender> contenders;
  for (const auto& one : all) {
    contenders.push_back({.name = one->name(),
                          .run = [&one](std::size_t iterations) { one->run(iterations); },
                          .messages = static_cast<double>(load.packets().size())});
  }
  return rows_of(session.measure(contenders), choices.size(), load, size);
}

std::vector<std::string> line_of(const Row& row) {
  return {row.backend,
          row.rival,
          row.size.to_string(),
          fmt::to_string(row.n),
          fmt::format("{:.1f}", row.ns),
          fmt::format("{:.1f}", row.best_ns),
          fmt::format("{:.1f}", row.rival_ns),
          fmt::format("{:.2f}", row.ratio),
          fmt::format("{:.2f}", row.rival_best_ns / row.best_ns),
          fmt::format("{:.2f}", row.core_cpb),
          fmt::format("{:.1f}", row.spread * 100),
          verdict(row),
          row.noisy ? "noisy" : ""};
}

void run_burst(Session& session, const BurstOptions& options) {
  const std::vector<Size> sizes = sizes_of(options, session.options.quick);
  const std::vector<std::size_t> ns = ns_of(options, session.options.quick);
  const Choices choices = choices_of(options);
  session.open();
  Progress progress(sizes.size() * ns.size());
  Table table({"backend", "rival", "size", "n", "ns", "best", "of rival", "ratio", "of bests", "cycles/B",
               "IQR %", "", ""},
              2);
  for (const Size& size : sizes) {
    for (std::size_t n : ns) {
      progress.step(fmt::format("{} x {}", n, size.to_string()));
      for (const Row& row : measure_point(session, choices, size, n)) {
        session.rows.push_back(row);
        table.add(line_of(row));
      }
    }
  }
  fmt::print(
      "\nHMAC-SHA1-96, ns per packet, every packet its own key; the best ipsec-mb manager at each point.\n"
      "Ratio of medians and of bests: above 1, ours is faster.\n{}",
      table.to_string());
}

/// The engine at one point and nothing else, for a profiler to look at.
void run_loop(const BurstOptions& options) {
  if (options.sizes.size() != 1 || options.ns.size() != 1 || options.backends.size() != 1)
    throw UsageError("--loop: name one backend, one size and one n");
  const BurstLoad load(sizes_of(options, true).front(), options.ns.front());
  const auto engine = make_engine(load, choices_of(options).front());
  std::uint64_t num_packets = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.loop_seconds);
  while (std::chrono::steady_clock::now() < end) {
    constexpr std::size_t kIterations = 1000;
    engine->run(kIterations);
    num_packets += kIterations * load.packets().size();
  }
  fmt::print("{} packets in {} s\n", num_packets, options.loop_seconds);
}

}  // namespace

Command add_burst(CLI::App& app, Session& session) {
  const auto options = std::make_shared<BurstOptions>();
  CLI::App* command = app.add_subcommand(
      "burst",
      "The burst engine beside intel-ipsec-mb (burst call, best of its SSE, AVX2 and AVX-512 managers) and\n"
      "OpenSSL (EVP_MAC, keyed in advance): HMAC-SHA1-96 over n packets with n keys.");
  command
      ->add_option("--backends", options->backends,
                   "auto (calibrated), or one backend for everything: A,B,...")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--sizes", options->sizes, "packet bytes, or imix (7:4:1 of 64, 594, 1418)")
      ->delimiter(',');
  command->add_option("--n", options->ns, "packets in a burst, 1 to 256")
      ->delimiter(',')
      ->check(CLI::Range(std::size_t{1}, hmac::kMaxBurst));
  command->add_option("--loop", options->loop_seconds,
                      "run the engine alone for so many seconds, at one backend, size and n: for a profiler");
  session.add_options(*command);
  return {command, [&session, options] {
            options->loop_seconds > 0 ? run_loop(*options) : run_burst(session, *options);
          }};
}

}  // namespace gate96::bench
