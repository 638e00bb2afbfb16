// SPDX-License-Identifier: BSD-3-Clause
// What all subcommands share: the common options, the meter, the rows, and what becomes of them.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/bench/measure.h"
#include "tools/bench/row.h"

namespace CLI {
class App;
}

namespace gate96::bench {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  // runtime error, or --compare found a slower row
inline constexpr int kExitUsage = 2;

/// A wrong argument that only the subcommand can judge. Ends with kExitUsage.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  int cpu = -1;
  bool quick = false;
  double max_seconds = 2;
  std::string json;
  std::string csv;
  std::string plot;
  std::string compare;
  std::string threshold = "5%";
};

class Session {
 public:
  Options options;
  std::vector<Row> rows;
  std::string command;  // the command line, for the report

  /// Adds the options that every subcommand takes.
  void add_options(CLI::App& app);

  /// Pins, calibrates, warms up and prints how figures are taken. Before the first measurement.
  void open();

  /// As --quick and --seconds say.
  [[nodiscard]] Limits limits() const;
  std::vector<Measured> measure(std::span<Contender> contenders) { return measure(contenders, limits()); }
  std::vector<Measured> measure(std::span<Contender> contenders, const Limits& limits) {
    return meter_.measure(contenders, limits);
  }

  /// Writes the files asked for, compares if asked to; returns the exit code.
  [[nodiscard]] int finish();

 private:
  [[nodiscard]] Machine machine() const;
  int compare_with_old();

  Meter meter_;
};

/// A subcommand: its parser and what to do once it was chosen.
struct Command {
  CLI::App* app;
  std::function<void()> run;
};

// One file each. The new one's line goes here and into main.cpp.
Command add_sha1(CLI::App& app, Session& session);
Command add_cold(CLI::App& app, Session& session);
Command add_footprint(CLI::App& app, Session& session);
Command add_urandom(CLI::App& app, Session& session);
Command add_objects(CLI::App& app, Session& session);
Command add_path(CLI::App& app, Session& session);
Command add_burst(CLI::App& app, Session& session);
Command add_fpu(CLI::App& app, Session& session);

}  // namespace gate96::bench
