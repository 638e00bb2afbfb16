// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bench/measure.h"

#include <gtest/gtest.h>

#include <limits>

namespace gate96::bench {
namespace {

constexpr Limits kShort{.samples = 3, .max_seconds = 0.05, .shot_seconds = 2e-6};

TEST(Measure, DisturbedShotsAreDropped) {
  const Shot shots[] = {{.ticks = 1, .chain = 1000},
                        {.ticks = 2, .chain = 1029},
                        {.ticks = 3, .chain = 1031},
                        {.ticks = 4, .chain = std::numeric_limits<double>::infinity()}};
  const std::vector<Shot> quiet = keep_quiet(shots, 1000);
  ASSERT_EQ(quiet.size(), 2u);
  EXPECT_DOUBLE_EQ(quiet[0].ticks, 1);
  EXPECT_DOUBLE_EQ(quiet[1].ticks, 2);
}

TEST(Measure, ContendersTakeTurnsForwardsAndBackwards) {
  std::string order;
  Contender contenders[] = {
      {.name = "a", .run = [&](std::size_t) { order += 'a'; }, .prepare = [] {}, .iterations = 1},
      {.name = "b", .run = [&](std::size_t) { order += 'b'; }, .prepare = [] {}, .iterations = 1}};
  Meter meter;
  (void)meter.measure(contenders, kShort);
  EXPECT_EQ(order.substr(0, 8), "abbaabba");
}

TEST(Measure, PreparesBeforeEachTimedPart) {
  std::string order;
  Contender contenders[] = {{.name = "a",
                             .run = [&](std::size_t iterations) { order += std::to_string(iterations); },
                             .prepare = [&] { order += 'p'; },
                             .iterations = 4,
                             .parts = 3}};
  Meter meter;
  (void)meter.measure(contenders, kShort);
  EXPECT_EQ(order.substr(0, 6), "p4p4p4");
}

TEST(Measure, FiguresAreTrimmedToTheSamplesAskedFor) {
  Contender contenders[] = {{.name = "a", .run = [](std::size_t) { time_rol_chain(); }, .iterations = 1}};
  Meter meter;
  const std::vector<Measured> all =
      meter.measure(contenders, {.samples = 3, .max_seconds = 20, .shot_seconds = 1e-6});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[0].ns.num, 3u);
  EXPECT_GE(all[0].taken, 4u);
}

TEST(Measure, FiguresArePerMessage) {
  const auto chain = [](std::size_t iterations) {
    for (std::size_t i = 0; i < iterations; ++i) time_rol_chain();
  };
  Contender contenders[] = {{.name = "one", .run = chain, .messages = 1, .iterations = 1},
                            {.name = "many", .run = chain, .messages = 1000, .iterations = 1}};
  Meter meter;
  const std::vector<Measured> all = meter.measure(contenders, kShort);
  EXPECT_GT(all[0].cycles.best, 100 * all[1].cycles.best);  // the same work over 1000 messages
}

}  // namespace
}  // namespace gate96::bench
