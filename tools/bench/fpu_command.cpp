// SPDX-License-Identifier: BSD-3-Clause
// `gate96-bench fpu`: the packet path under the kernels' FPU policies, as a grid or as scenarios.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "fpu/profile.h"
#include "tools/bench/clock.h"
#include "tools/bench/fpu_scenarios.h"
#include "tools/bench/plot.h"
#include "tools/bench/progress.h"
#include "tools/bench/session.h"

namespace gate96::bench {
namespace {

struct FpuOptions {
  std::vector<std::string> profiles, workloads, fallbacks;
  std::vector<std::size_t> sizes;
  std::string scenario;
  double load = 0;
  bool quick = false;
  int cpu = -1;
  std::string json, plot;
};

template <class Range>
std::vector<std::string> or_all(std::vector<std::string> chosen, const Range& all) {
  if (chosen.empty()) {
    for (const auto& one : all) chosen.emplace_back(one);
  }
  return chosen;
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const fpu::Profile* profile : fpu::profiles()) names.emplace_back(profile->name);
  return names;
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const fpu::Preset& preset : fpu::presets()) names.emplace_back(preset.name);
  return names;
}

std::vector<Variant> grid_of(const FpuOptions& options, std::size_t size) {
  std::vector<Variant> variants;
  for (const std::string& profile : or_all(options.profiles, profile_names())) {
    for (const std::string& workload : or_all(options.workloads, workload_names())) {
      for (const std::string& fallback : or_all(options.fallbacks, fpu::kFallbackNames)) {
        Variant variant;
        variant.fpu.profile = profile;
        variant.fpu.workload = workload;
        variant.fpu.fallback = *fpu::parse<fpu::Fallback>(fpu::kFallbackNames, fallback);
        variant.traffic = {.size = size, .seconds = options.quick ? 0.005 : 0.03};
        variants.push_back(variant);
      }
    }
  }
  return variants;
}

/// Packets a second that scalar code alone manages.
double scalar_capacity(const Rounds& rounds, const Traffic& traffic) {
  Variant scalar{.what = "scalar", .traffic = traffic};
  scalar.fpu.profile = "never";
  return rounds({scalar})[0].run.mpps() * 1e6;
}

std::vector<FpuRow> measure_grid(FpuPath& path, const FpuOptions& options) {
  const Rounds rounds(path, options.quick ? 1 : 3);
  std::vector<FpuRow> rows;
  std::vector<std::vector<Variant>> grids;
  for (const std::size_t size : options.sizes) grids.push_back(grid_of(options, size));
  Progress progress(grids.size() * grids.front().size());
  for (std::vector<Variant>& grid : grids) {
    const double rate = options.load > 0 ? options.load * scalar_capacity(rounds, grid.front().traffic) : 0;
    for (Variant& variant : grid) {
      progress.step(fmt::format("{} {}", variant.fpu.profile, variant.fpu.workload));
      variant.traffic.rate = rate;
      rows.push_back(rounds({variant})[0]);
    }
  }
  return rows;
}

std::vector<FpuRow> measure_scenarios(FpuPath& path, const FpuOptions& options) {
  const Rounds rounds(path, options.quick ? 1 : 15);
  std::vector<FpuRow> rows;
  Progress progress(options.scenario == "all" ? scenarios().size() : 1);
  for (const Scenario& scenario : scenarios()) {
    if (options.scenario != "all" && options.scenario != scenario.name) continue;
    progress.step(std::string(scenario.name));
    Finding found = scenario.look(rounds);
    fmt::print("{}: {}\n  claimed: {}\n  shows if: {}\n  here: {}\n", scenario.name, found.verdict,
               scenario.claimed, scenario.shows_if, found.seen);
    for (FpuRow& row : found.rows) {
      row.scenario = scenario.name;
      row.verdict = found.verdict;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::string check_scenario(const std::string& name) {
  if (name == "all" || std::ranges::find(scenarios(), name, &Scenario::name) != scenarios().end()) return {};
  std::string known = "all";
  for (const Scenario& scenario : scenarios()) known += fmt::format(", {}", scenario.name);
  return fmt::format("no scenario {}; there are {}", name, known);
}

void run_fpu(const Session& session, const FpuOptions& options) {
  FpuPath path;
  const int cpu = pin_to_cpu(options.cpu);
  fmt::print("{}, core {}; packets are made, pass the gateway's outbound path and are freed\n", cpu_name(),
             cpu);
  const std::vector<FpuRow> rows =
      options.scenario.empty() ? measure_grid(path, options) : measure_scenarios(path, options);
  fmt::print("\nTicks are of the TSC, in SAVE and RESTORE. Latency is from arrival to transmit.\n{}",
             to_table(rows));
  if (!options.json.empty()) write_fpu_json(options.json, session.command, rows);
  if (!options.plot.empty()) run_gnuplot(options.plot, fpu_plot_script(options.plot, rows));
}

}  // namespace

Command add_fpu(CLI::App& app, Session& session) {
  const auto options = std::make_shared<FpuOptions>();
  options->sizes = {1420};
  CLI::App* command = app.add_subcommand(
      "fpu",
      "The gateway's packet path under the kernels' FPU policies: throughput, latency, SIMD's share, SAVE "
      "and\n"
      "RESTORE. As a grid, or --scenario: what was reported of kernels, and whether it shows here.");
  command->footer(
      "Examples:\n  gate96-bench fpu --scenario all --json f.json --plot f.svg\n"
      "  gate96-bench fpu --profiles linux-2.6.39,linux-5.18 --workloads busy-user-fpu --load 0.8");
  command->add_option("--profiles", options->profiles, "default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(profile_names()));
  command->add_option("--workloads", options->workloads, "default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(workload_names()));
  command->add_option("--fallbacks", options->fallbacks, "scalar, defer (default: both)")
      ->delimiter(',')
      ->check(CLI::IsMember({"scalar", "defer"}));
  command->add_option("--sizes", options->sizes, "bytes of the IP packet")
      ->delimiter(',')
      ->check(CLI::Range(64, 9000))
      ->capture_default_str();
  command
      ->add_option(
          "--load", options->load,
          "packets arrive by the clock, at this share of what scalar code manages (default: as fast as "
          "they are taken)")
      ->check(CLI::Range(0.01, 100.0));
  command->add_option("--scenario", options->scenario, "one by name, or all")->check(check_scenario);
  command->add_flag("--quick", options->quick, "one short run each: to see that it works, not to quote");
  command->add_option("--cpu", options->cpu, "core to run on (default: the highest one allowed)");
  command->add_option("--json", options->json, "write the rows to FILE")->type_name("FILE");
  command->add_option("--plot", options->plot, "draw the rows with gnuplot")->type_name("FILE.svg");
  return {command, [&session, options] { run_fpu(session, *options); }};
}

}  // namespace gate96::bench
