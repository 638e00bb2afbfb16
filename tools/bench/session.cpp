// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/session.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/bench/compare.h"
#include "tools/bench/plot.h"

namespace gate96::bench {
namespace {

/// Lets the clock settle: cores raise it only under load.
void warm_up(double seconds) {
  const std::uint64_t end = read_tsc() + static_cast<std::uint64_t>(seconds * tsc_hz());
  while (read_tsc() < end) time_rol_chain();
}

std::string check_threshold(const std::string& text) {
  try {
    (void)parse_threshold(text);
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

}  // namespace

void Session::add_options(CLI::App& app) {
  app.add_option("--cpu", options.cpu, "core to run on (default: the highest one allowed)");
  app.add_flag("--quick", options.quick, "few samples and points: to see that it works, not to quote");
  app.add_option("--seconds", options.max_seconds, "longest time for one row, all contenders together")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--json", options.json, "write the rows to FILE")->type_name("FILE");
  app.add_option("--csv", options.csv, "write the rows to FILE")->type_name("FILE");
  app.add_option("--plot", options.plot, "draw the rows with gnuplot")->type_name("FILE.svg");
  app.add_option("--compare", options.compare, "rows of an earlier --json; exit code 1 if a row got slower")
      ->type_name("OLD.json")
      ->check(CLI::ExistingFile);
  app.add_option("--threshold", options.threshold,
                 "how much slower, with intervals apart, counts for --compare")
      ->check(check_threshold)
      ->capture_default_str();
}

Limits Session::limits() const {
  if (options.quick) return {.samples = 3, .max_seconds = 0.2, .shot_seconds = 5e-6};
  return {.max_seconds = options.max_seconds};
}

void Session::open() {
  options.cpu = pin_to_cpu(options.cpu);
  warm_up(options.quick ? 0.005 : 0.2);
  const Machine here = machine();
  const double clock_hz = kRolSteps / static_cast<double>(time_rol_chain()) * here.tsc_hz;
  fmt::print("{}, core {}; TSC {:.2f} GHz, core now {:.2f} GHz; core cycles from {}\n", here.cpu, options.cpu,
             here.tsc_hz / 1e9, clock_hz / 1e9, here.cycle_source);
}

Machine Session::machine() const {
  return {.cpu = cpu_name(), .cycle_source = meter_.cycle_source(), .tsc_hz = tsc_hz(), .command = command};
}

int Session::compare_with_old() {
  const Comparison result = compare(read_json(options.compare), rows, parse_threshold(options.threshold));
  fmt::print("\nagainst {}, threshold {}:\n{}", options.compare, options.threshold, to_text(result));
  return result.slower.empty() ? kExitOk : kExitFailed;
}

int Session::finish() {
  if (!options.json.empty()) write_json(options.json, machine(), rows);
  if (!options.csv.empty()) write_csv(options.csv, rows);
  if (!options.plot.empty()) plot(options.plot, rows);
  return options.compare.empty() ? kExitOk : compare_with_old();
}

}  // namespace gate96::bench
