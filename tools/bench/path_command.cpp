// SPDX-License-Identifier: BSD-3-Clause
// `gate96-bench path`: the gateway's own cycles per packet.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/bench/clock.h"
#include "tools/bench/path_rig.h"
#include "tools/bench/session.h"
#include "tools/bench/table.h"

namespace gate96::bench {
namespace {

constexpr std::size_t kFreshPackets = 2048;  // in a timed part, since each number is good once

struct PathOptions {
  std::vector<std::string> cases = {"bypass", "protect", "verify", "verify-fresh"};
  std::vector<std::string> sizes = {"64", "512", "1420", "imix"};
  std::vector<std::size_t> sas = {1, 32};
  std::uint16_t burst = 32;
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
  auto contender = [&](const char* what, void (PathRig::*run)(std::size_t)) {
    Contender one{.name = what,
                  .run = [&rig, run](std::size_t iterations) { (rig.*run)(iterations); },
                  .messages = static_cast<double>(load.burst)};
    if (load.which == PathCase::kVerifyFresh) {
      one.prepare = [&rig, fresh_bursts] { rig.refill(fresh_bursts); };
      one.iterations = fresh_bursts;
    }
    return one;
  };
  std::vector<Contender> contenders = {contender("path", &PathRig::run), contender("io", &PathRig::run_io)};
  const std::vector<Measured> figures = session.measure(contenders);
  if (rig.num_dropped() > 0) {
    throw std::runtime_error(fmt::format("{} {}: {} packets were dropped: no measurement", name(load.which),
                                         load.size.to_string(), rig.num_dropped()));
  }
  return {name(load.which), load.size.to_string(), load.sas, figures[0], figures[1], rig.stage_cycles()};
}

void write_rows(const std::string& file, const Session& session, const std::vector<PathRow>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const PathRow& row : rows) {
    nlohmann::ordered_json& json =
        all.emplace_back(nlohmann::ordered_json{{"case", row.which},
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
  std::ofstream out(file);
  out << nlohmann::ordered_json{{"command", session.command},
                                {"cpu", cpu_name()},
                                {"tsc_hz", tsc_hz()},
                                {"rows", std::move(all)}}
             .dump(1)
      << "\n";
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", file));
}

void run_path(Session& session, const PathOptions& options) {
  std::vector<PathCase> cases;
  std::vector<Size> sizes;
  for (const std::string& text : options.cases) cases.push_back(parse_case(text));
  for (const std::string& text : options.sizes) sizes.push_back(parse_size(text));
  const PathEnvironment environment;
  session.open();
  std::vector<PathRow> rows;
  std::vector<std::string> stage_heads = {"case", "size", "SAs"};
  stage_heads.insert(stage_heads.end(), kStageNames.begin(), kStageNames.end());
  Table stage_table(stage_heads, 2);
  Table table({"case", "size", "SAs", "TSC cycles", "best", "core cycles", "Mpps", "I/O alone", "IQR %", ""},
              2);
  for (const PathCase which : cases) {
    for (const Size size : sizes) {
      for (const std::size_t sas : options.sas) {
        if (which == PathCase::kBypass && sas != options.sas.front()) continue;
        const PathRow& row =
            rows.emplace_back(measure_one(session, environment, {which, size, sas, options.burst}));
        table.add({row.which, row.size, std::to_string(row.sas), fmt::format("{:.0f}", tsc_cycles(row.path)),
                   fmt::format("{:.0f}", row.path.ns.best * tsc_hz() / 1e9),
                   fmt::format("{:.0f}", row.path.cycles.median),
                   fmt::format("{:.2f}", 1e3 / row.path.ns.median), fmt::format("{:.0f}", tsc_cycles(row.io)),
                   fmt::format("{:.1f}", row.path.ns.spread() * 100), row.path.noisy ? "noisy" : ""});
        std::vector<std::string> cells = {row.which, row.size, std::to_string(row.sas)};
        for (const double cycles : row.stages) cells.push_back(fmt::format("{:.1f}", cycles));
        stage_table.add(cells);
      }
    }
  }
  fmt::print("\nCycles per packet from receive to send, I/O included, bursts of {}; one worker.\n{}",
             options.burst, table.to_string());
  fmt::print("\nBy stage, TSC cycles per packet, reading the clock included.\n{}", stage_table.to_string());
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
  command->add_option("--json", options->json, "write the rows to this file");
  command->add_option("--cpu", session.options.cpu, "the CPU to run on; -1: the highest allowed one");
  command->add_flag("--quick", session.options.quick, "fewer samples");
  command->add_option("--seconds", session.options.max_seconds, "at most so long for a row");
  return {command, [&session, options] { run_path(session, *options); }};
}

}  // namespace gate96::bench
