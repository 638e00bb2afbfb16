// SPDX-License-Identifier: BSD-3-Clause
// Times several contenders against each other in one process.
//
// How: every contender gets a shot, in the order A B .. B A, again and again, so that a slow spell of the
// machine hits all alike. Before and after each shot runs the rol chain; a shot counts only if both chains
// ran as fast as the fastest of its row, within kQuietTolerance, and the kernel took the core away at no
// point: a neighbour, an interrupt or a change of clock spoils a shot, not a figure. The same chains turn TSC
// ticks into core cycles where there is no perf_event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tools/bench/clock.h"
#include "tools/bench/stats.h"

namespace gate96::bench {

inline constexpr double kQuietTolerance = 0.03;  // slower chains than this over the fastest: disturbed
inline constexpr double kNoisySpread = 0.05;     // interquartile range over median

/// Something to time. One iteration handles `messages` messages.
struct Contender {
  std::string name;
  std::function<void(std::size_t iterations)> run;
  double messages = 1;
  std::function<void()> prepare = {};  // untimed, before each timed part; none: one iteration as warm-up
  std::size_t iterations = 0;          // in a timed part; 0: as many as fill Limits::shot_seconds
  std::size_t parts = 1;               // timed parts in a shot; more where `prepare` allows only short ones
};

struct Limits {
  std::size_t samples = 41;     // quiet shots wanted of each contender
  double max_seconds = 2;       // for the row, all contenders together
  double shot_seconds = 25e-6;  // about, of a timed part
};

/// A contender's figures per message.
struct Measured {
  std::string name = {};
  Summary ns = {};
  Summary cycles = {};    // core cycles
  std::size_t taken = 0;  // shots, disturbed ones included
  bool noisy = false;     // widely spread, or too few quiet shots: say so
};

/// One shot, before it is judged.
struct Shot {
  double ticks = 0;   // TSC, per message
  double cycles = 0;  // core, per message
  double chain = 0;   // TSC ticks of the slower of the two chains around it; infinite: preempted
};

/// How often the kernel has taken the core away from this thread.
[[nodiscard]] long times_preempted();

/// Those shots whose chains were within kQuietTolerance of `fastest_chain`.
std::vector<Shot> keep_quiet(std::span<const Shot> shots, double fastest_chain);

class Meter {
 public:
  Meter() = default;
  /// In the order of `contenders`. Runs each at least once, even past max_seconds.
  std::vector<Measured> measure(std::span<Contender> contenders, const Limits& limits);
  [[nodiscard]] const char* cycle_source() const { return perf_.source(); }

 private:
  Shot shoot(Contender& contender);
  void choose_iterations(Contender& contender, double shot_seconds);

  PerfCycles perf_;
};

}  // namespace gate96::bench
