// SPDX-License-Identifier: BSD-3-Clause
// Two ways to run packets through the path, in pairs: A B B A, again and again, in one process. A round in
// which the kernel took a core away does not count.
#pragma once

#include <cstddef>
#include <vector>

#include "tools/bench/measure.h"
#include "tools/bench/path_rig.h"
#include "tools/bench/stats.h"

namespace gate96::bench {

/// Ratios of pairs, with the interval that holds their median at 95 %.
struct Paired {
  Summary ratio;
  double low = 0, high = 0;
};
[[nodiscard]] Paired judge_pairs(std::vector<double> ratios);

/// TSC cycles per packet of two workers that run at once, and how that compares with one that has all SAs.
struct TeamResult {
  Summary team;  // TSC cycles a packet: time by packets of both
  Summary one;
  Paired speedup;  // packets a second, both by one
};

/// Precondition: load.which is not kVerifyFresh, load.sas a multiple of `workers`. Throws std::runtime_error
/// if there are fewer CPUs than workers.
[[nodiscard]] TeamResult measure_team(rte_mempool* pool, PathLoad load, unsigned workers,
                                      const Limits& limits);

/// How much longer packets take under profile `always` than with the FPU stage compiled out,
/// as a ratio. Precondition: one worker. Throws std::runtime_error if packets were dropped.
[[nodiscard]] Paired measure_fpu_stage(PathRig& rig, const Limits& limits);

}  // namespace gate96::bench
