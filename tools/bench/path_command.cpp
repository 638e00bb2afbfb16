// SPDX-License-Identifier: BSD-3-Clause
// `gate96-bench path`: the gateway's own cycles per packet.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/bench/clock.h"
#include "tools/bench/path_pairs.h"
#include "tools/bench/path_rig.h"
#include "tools/bench/session.h"
#include "tools/bench/table.h"

namespace gate96::bench {
namespace {

constexpr std::size_t kLoopBursts = 1000;    // between looks at the clock
constexpr std::size_t kFreshPackets = 2048;  // in a timed part, since each number is good once

struct PathOptions {
  std::vector<std::string> cases = {"bypass", "protect", "verify", "verify-fresh"};
  std::vector<std::string> sizes = {"64", "512", "1420", "imix"};
  std::vector<std::size_t> sas = {1, 32};
  std::uint16_t burst = PathLoad{}.burst;
  unsigned workers = 1;
  bool fpu_stage = false;
  unsigned loop_seconds = 0;
  std::string json;
};

struct PathRow {
  std::string which;
  std::string size;
  std::size_t sas;
  Measured path;
  Measured io;
  StageCycles stages;
};

double tsc_cycles(const Measured& measured) {
  return measured.ns.median * tsc_hz() / 1e9;
}

PathCase parse_case(const std::string& text) {
  for (const PathCase which :
       {PathCase::kBypass, PathCase::kProtect, PathCase::kVerify, PathCase::kVerifyFresh}) {
    if (name(which) == text) return which;
  }
  throw UsageError(fmt::format("--cases {}: there are bypass, protect, verify and verify-fresh", text));
}

Size parse_size(const std::string& text) {
  const auto size = Size::parse(text);
  if (!size || (!size->imix && (size->bytes < 64 || size->bytes > 1454))) {
    throw UsageError(
        fmt::format("--sizes {}: \"imix\", or 64 to 1454 (with ESP it must fit the MTU of 1500)", text));
  }
  return *size;
}

PathRow measure_one(Session& session, const PathEnvironment& environment, const PathLoad& load) {
  PathRig rig(environment.pool(), load);
  const std::size_t fresh_bursts = kFreshPackets / load.burst;
  auto contender = [&](const char* what, std::function<void(std::size_t)> run) {
    Contender one{.name = what, .run = std::move(run), .messages = static_cast<double>(load.burst)};
    if (load.which == PathCase::kVerifyFresh) {
      one.prepare = [&rig, fresh_bursts] { rig.refill(fresh_bursts); };
      one.iterations = fresh_bursts;
    }
    return one;
  };
  std::vector<Contender> contenders = {
      contender("path", [&rig](std::size_t iterations) { rig.run(iterations); }),
      contender("io", [&rig](std::size_t iterations) { rig.run_io(iterations); })};
  const std::vector<Measured> figures = session.measure(contenders);
  if (rig.num_dropped() > 0) {
    throw std::runtime_error(fmt::format("{} {}: {} packets were dropped: no measurement", name(load.which),
                                         load.size.to_string(), rig.num_dropped()));
  }
  return {name(load.which), load.size.to_string(), load.sas, figures[0], figures[1], rig.stage_cycles()};
}

using Rows = nlohmann::ordered_json;

void add_row(Rows& rows, const PathRow& row) {
  Rows& json = rows.emplace_back(Rows{{"case", row.which},
                                      {"size", row.size},
                                      {"sas", row.sas},
                                      {"tsc_cycles", tsc_cycles(row.path)},
                                      {"core_cycles", row.path.cycles.median},
                                      {"mpps", 1e3 / row.path.ns.median},
                                      {"io_tsc_cycles", tsc_cycles(row.io)},
                                      {"best_tsc_cycles", row.path.ns.best * tsc_hz() / 1e9},
                                      {"noisy", row.path.noisy}});
  for (std::size_t i = 0; i < row.stages.size(); ++i) {
    json[fmt::format("{}_tsc_cycles", kStageNames[i])] = row.stages[i];
  }
}

void write_rows(const std::string& file, const Session& session, const Rows& rows) {
  std::ofstream out(file);
  out << Rows{{"command", session.command}, {"cpu", cpu_name()}, {"tsc_hz", tsc_hz()}, {"rows", rows}}.dump(1)
      << "\n";
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", file));
}

std::vector<PathLoad> loads_of(const PathOptions& options) {
  std::vector<PathLoad> loads;
  for (const std::string& which : options.cases) {
    for (const std::string& size : options.sizes) {
      for (const std::size_t sas : options.sas) {
        const PathLoad load{parse_case(which), parse_size(size), sas, options.burst};
        if (load.which != PathCase::kBypass || sas == options.sas.front()) loads.push_back(load);
      }
    }
  }
  return loads;
}

std::vector<std::string> head_of(const PathLoad& load) {
  return {name(load.which), load.size.to_string(), std::to_string(load.sas)};
}

void print_stages(const std::vector<PathLoad>& loads, const std::vector<PathRow>& rows) {
  std::vector<std::string> heads = {"case", "size", "SAs"};
  heads.insert(heads.end(), kStageNames.begin(), kStageNames.end());
  Table table(heads, 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells = head_of(loads[i]);
    for (const double cycles : rows[i].stages) cells.push_back(fmt::format("{:.1f}", cycles));
    table.add(cells);
  }
  fmt::print("\nBy stage, TSC cycles per packet, reading the clock included.\n{}", table.to_string());
}

void measure_rows(Session& session, const PathEnvironment& environment, const PathOptions& options,
                  Rows& json) {
  const std::vector<PathLoad> loads = loads_of(options);
  std::vector<PathRow> rows;
  Table table({"case", "size", "SAs", "TSC cycles", "best", "core cycles", "Mpps", "I/O alone", "IQR %", ""},
              2);
  for (const PathLoad& load : loads) {
    const PathRow& row = rows.emplace_back(measure_one(session, environment, load));
    std::vector<std::string> cells = head_of(load);
    for (std::string& cell : std::vector<std::string>{
             fmt::format("{:.0f}", tsc_cycles(row.path)),
             fmt::format("{:.0f}", row.path.ns.best * tsc_hz() / 1e9),
             fmt::format("{:.0f}", row.path.cycles.median), fmt::format("{:.2f}", 1e3 / row.path.ns.median),
             fmt::format("{:.0f}", tsc_cycles(row.io)), fmt::format("{:.1f}", row.path.ns.spread() * 100),
             row.path.noisy ? "noisy" : ""}) {
      cells.push_back(std::move(cell));
    }
    table.add(cells);
    add_row(json, row);
  }
  fmt::print("\nCycles per packet from receive to send, I/O included, bursts of {}; one worker.\n{}",
             options.burst, table.to_string());
  print_stages(loads, rows);
}

void measure_workers(Session& session, const PathEnvironment& environment, const PathOptions& options,
                     Rows& json) {
  Table table({"case", "size", "SAs", "Mpps, one", "Mpps, all", "times", "95 % from", "to", ""}, 2);
  for (const PathLoad& load : loads_of(options)) {
    if (load.which == PathCase::kVerifyFresh || load.sas % options.workers != 0) continue;
    const TeamResult result = measure_team(environment.pool(), load, options.workers, session.limits());
    const double mpps = tsc_hz() / 1e6 / result.team.median;
    std::vector<std::string> cells = head_of(load);
    cells.insert(
        cells.end(),
        {fmt::format("{:.2f}", tsc_hz() / 1e6 / result.one.median), fmt::format("{:.2f}", mpps),
         fmt::format("{:.2f}", result.speedup.ratio.median), fmt::format("{:.2f}", result.speedup.low),
         fmt::format("{:.2f}", result.speedup.high), result.team.spread() > kNoisySpread ? "noisy" : ""});
    table.add(cells);
    json.push_back({{"case", name(load.which)},
                    {"size", load.size.to_string()},
                    {"sas", load.sas},
                    {"workers", options.workers},
                    {"tsc_cycles", result.team.median},
                    {"mpps", mpps},
                    {"speedup", result.speedup.ratio.median},
                    {"speedup_low", result.speedup.low},
                    {"speedup_high", result.speedup.high},
                    {"noisy", result.team.spread() > kNoisySpread}});
  }
  fmt::print("\n{} workers, each with queues and SAs of its own, beside one worker alone.\n{}",
             options.workers, table.to_string());
}

void measure_fpu(Session& session, const PathEnvironment& environment, const PathOptions& options,
                 Rows& json) {
  Table table({"case", "size", "SAs", "FPU stage %", "95 % from", "to"}, 2);
  for (const PathLoad& load : loads_of(options)) {
    if (load.which == PathCase::kBypass || load.which == PathCase::kVerifyFresh) continue;
    PathRig rig(environment.pool(), load);
    const Paired paired = measure_fpu_stage(rig, session.limits());
    auto percent = [](double ratio) { return (ratio - 1) * 100; };
    std::vector<std::string> cells = head_of(load);
    for (const double ratio : {paired.ratio.median, paired.low, paired.high}) {
      cells.push_back(fmt::format("{:+.2f}", percent(ratio)));
    }
    table.add(cells);
    json.push_back({{"case", name(load.which)},
                    {"size", load.size.to_string()},
                    {"sas", load.sas},
                    {"fpu_percent", percent(paired.ratio.median)},
                    {"fpu_percent_low", percent(paired.low)},
                    {"fpu_percent_high", percent(paired.high)}});
  }
  fmt::print("\nThe whole path under profile always, over the path with the FPU stage compiled out.\n{}",
             table.to_string());
}

/// Nothing but one load, for a profiler.
void run_loop(const PathEnvironment& environment, const PathLoad& load, unsigned seconds) {
  if (load.which == PathCase::kVerifyFresh)
    throw UsageError("--loop: verify-fresh is filled between runs; take verify");
  PathRig rig(environment.pool(), load);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  std::uint64_t num_bursts = 0;
  for (; std::chrono::steady_clock::now() < end; num_bursts += kLoopBursts) rig.run(kLoopBursts);
  fmt::print("{} packets in {} s\n", num_bursts * load.burst, seconds);
}

void run_path(Session& session, const PathOptions& options) {
  const auto loads = loads_of(options);  // arguments first
  if (options.loop_seconds > 0 && loads.size() != 1)
    throw UsageError("--loop: name one case, one size and one number of SAs");
  const PathEnvironment environment;
  if (options.loop_seconds > 0) return run_loop(environment, loads[0], options.loop_seconds);
  session.open();
  Rows rows = Rows::array();
  if (options.workers > 1) {
    measure_workers(session, environment, options, rows);
  } else if (options.fpu_stage) {
    measure_fpu(session, environment, options, rows);
  } else {
    measure_rows(session, environment, options, rows);
  }
  if (!options.json.empty()) write_rows(options.json, session, rows);
}

}  // namespace

Command add_path(CLI::App& app, Session& session) {
  const auto options = std::make_shared<PathOptions>();
  CLI::App* command = app.add_subcommand(
      "path", "The gateway's packet path, from a capture that never ends (net_pcap) to net_null.");
  command->footer(
      "verify has window 0, since the capture's numbers repeat; verify-fresh has window 64 and gets new "
      "numbers\n"
      "over a ring. \"Size\" is the clear frame without FCS. \"I/O alone\": the same packets through the "
      "ports only.\n"
      "Example:\n  gate96-bench path --cases verify --sizes 64 --sas 1,1000,100000");
  command->add_option("--cases", options->cases, "bypass, protect, verify, verify-fresh")->delimiter(',');
  command->add_option("--sizes", options->sizes, "bytes of the clear frame, or imix")->delimiter(',');
  command->add_option("--sas", options->sas, "numbers of SAs, 1 to 100000")
      ->delimiter(',')
      ->check(CLI::Range(1, 100000));
  command->add_option("--burst", options->burst, "packets a receive call, 1 to 256")
      ->check(CLI::Range(1, 256));
  command->add_option("--workers", options->workers, "so many at once, on a CPU each, beside one alone")
      ->check(CLI::Range(1, 16));
  command->add_flag("--fpu-stage", options->fpu_stage, "what the FPU policy costs under profile always");
  command->add_option("--loop", options->loop_seconds,
                      "only run one case for so many seconds, for a profiler");
  command->add_option("--json", options->json, "write the rows to this file");
  command->add_option("--cpu", session.options.cpu, "the CPU to run on; -1: the highest allowed one");
  command->add_flag("--quick", session.options.quick, "fewer samples");
  command->add_option("--seconds", session.options.max_seconds, "at most so long for a row");
  return {command, [&session, options] { run_path(session, *options); }};
}

}  // namespace gate96::bench
