// SPDX-License-Identifier: BSD-3-Clause
// What a row of gate96-bench fpu makes of its repetitions.
#include <gtest/gtest.h>

#include "tools/bench/fpu_scenarios.h"

namespace gate96::bench {
namespace {

Run run_of(std::uint64_t section_ns, bool preempted) {
  return {.seconds = 1e-6, .sent = 1, .max_section_ns = section_ns, .preempted = preempted};
}

// By hand: of 40, 50, 60 and 70 a quarter is no longer than 50; what was taken away says nothing.
TEST(FpuRows, RunsThatLostTheCoreDoNotTellTheLongestSection) {
  const FpuRow row = row_of({}, {run_of(10, true), run_of(60, false), run_of(9000, true), run_of(40, false),
                                 run_of(20, true), run_of(70, false), run_of(50, false)});
  EXPECT_EQ(row.run.max_section_ns, 40U);
  EXPECT_EQ(row.quartile_section_ns, 50U);
}

TEST(FpuRows, WhereEveryRunLostTheCoreAllTell) {
  const FpuRow row = row_of({}, {run_of(60, true), run_of(40, true)});
  EXPECT_EQ(row.run.max_section_ns, 40U);
}

}  // namespace
}  // namespace gate96::bench
