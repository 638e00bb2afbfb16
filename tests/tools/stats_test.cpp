// SPDX-License-Identifier: BSD-3-Clause
// Right values: R's quantile(x, type = 7) and paper.
#include "tools/bench/stats.h"

#include <gtest/gtest.h>

namespace gate96::bench {
namespace {

TEST(Stats, QuantilesLieBetweenNeighbours) {
  const double sorted[] = {1, 2, 4, 8};
  EXPECT_DOUBLE_EQ(quantile(sorted, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile(sorted, 0.75), 5);
  EXPECT_DOUBLE_EQ(quantile(sorted, 1), 8);
}

TEST(Stats, OrderOfSamplesDoesNotMatter) {
  const Summary summary = summarise({8, 1, 4, 2});
  EXPECT_EQ(summary.num, 4u);
  EXPECT_DOUBLE_EQ(summary.best, 1);
  EXPECT_DOUBLE_EQ(summary.q1, 1.75);
  EXPECT_DOUBLE_EQ(summary.median, 3);
  EXPECT_DOUBLE_EQ(summary.q3, 5);
  EXPECT_DOUBLE_EQ(summary.mean, 3.75);
  EXPECT_DOUBLE_EQ(summary.spread(), 3.25 / 3);
}

TEST(Stats, OneOutlierLeavesMedianAndSpreadAlone) {
  const Summary summary = summarise({10, 10, 10, 10, 10, 10, 10, 9000});
  EXPECT_DOUBLE_EQ(summary.median, 10);
  EXPECT_DOUBLE_EQ(summary.spread(), 0);
}

TEST(Stats, ASingleSampleIsItsOwnInterval) {
  const Summary summary = summarise({7});
  EXPECT_DOUBLE_EQ(summary.q1, 7);
  EXPECT_DOUBLE_EQ(summary.q3, 7);
}

TEST(Stats, NoSamplesGiveZeros) {
  EXPECT_EQ(summarise({}).num, 0u);
  EXPECT_DOUBLE_EQ(summarise({}).spread(), 0);
}

TEST(Stats, NoWinnerWhereIntervalsTouch) {
  const Summary fast{.q1 = 9, .median = 10, .q3 = 11};
  const Summary touching{.q1 = 11, .median = 12, .q3 = 13};
  const Summary slow{.q1 = 11.1, .median = 12, .q3 = 13};
  EXPECT_EQ(winner(fast, touching), Winner::kNone);
  EXPECT_EQ(winner(fast, slow), Winner::kFirst);
  EXPECT_EQ(winner(slow, fast), Winner::kSecond);
}

}  // namespace
}  // namespace gate96::bench
