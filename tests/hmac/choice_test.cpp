// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/choice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/hmac/load.h"

namespace gate96::hmac {
namespace {

std::size_t row_named(std::string_view name) {
  for (std::size_t row = 0; row < sha1::backends().size(); ++row) {
    if (sha1::backends()[row].name == name) return row;
  }
  return SIZE_MAX;
}

TEST(BackendChoice, NamedTakesOneRowForEverything) {
  for (const sha1::Backend* backend : sha1::Selection::instance().usable()) {
    const auto named = BackendChoice::named(backend->name);
    ASSERT_TRUE(named.choice) << named.error;
    for (std::size_t n : {1, 2, 16, 17, 256}) {
      EXPECT_EQ(named.choice->row(n, Length::kShort), row_named(backend->name));
      EXPECT_EQ(named.choice->row(n, Length::kLong), row_named(backend->name));
      EXPECT_EQ(named.choice->floor(row_named(backend->name), n, Length::kShort), 0u)
          << "nothing to change to";
    }
    EXPECT_EQ(named.choice->is_vector(), backend->is_vector());
  }
}

TEST(BackendChoice, UnknownNamesAreErrors) {
  const auto named = BackendChoice::named("md5");
  EXPECT_FALSE(named.choice);
  EXPECT_NE(named.error.find("md5"), std::string::npos);
}

TEST(BackendChoice, AutomaticTakesWhatWasMeasuredFastest) {
  const BackendChoice& choice = BackendChoice::automatic();
  for (const Measurement& m : choice.measurements()) {
    if (m.dropped) continue;
    const std::size_t row =
        choice.row(m.num_messages, m.message_len / 64 < kFewBlocks ? Length::kShort : Length::kLong);
    EXPECT_TRUE(std::ranges::any_of(choice.measurements(),
                                    [&](const Measurement& other) {
                                      return other.row == row && other.num_messages == m.num_messages &&
                                             other.message_len == m.message_len &&
                                             other.ns_per_message * kTie <= m.ns_per_message;
                                    }))
        << m.num_messages << " x " << m.message_len;
  }
  EXPECT_NE(choice.explain().find(sha1::backends()[choice.row(1, Length::kShort)].name), std::string::npos);
}

TEST(BackendChoice, FloorIsWhereAnotherRowTakesOver) {
  const BackendChoice& choice = BackendChoice::automatic();
  for (std::size_t n = 1; n <= 40; ++n) {
    const std::size_t row = choice.row(n, Length::kLong);
    const std::size_t floor = choice.floor(row, n, Length::kLong);
    EXPECT_LT(floor, n);
    EXPECT_TRUE(floor == 0 || choice.row(floor, Length::kLong) != row);
    for (std::size_t k = floor + 1; k < n && k <= sha1::backends()[row].lanes; ++k)
      EXPECT_FALSE(worth_leaving(choice.costs(), row, choice.row(k, Length::kLong))) << n << " " << k;
  }
}

#if defined(__x86_64__)
TEST(WorthLeaving, ManyLanesForStepsThatAreAFifthCheaper) {
  const std::size_t x2 = row_named("sha_ni_x2"), x4 = row_named("sha_ni_x4"), x8 = row_named("avx512vl_x8"),
                    x16 = row_named("avx512_x16");
  const std::vector<Cost> costs = {{x2, 2, 0, 49}, {x4, 4, 0, 50}, {x8, 8, 0, 81}, {x16, 16, 0, 100}};
  EXPECT_FALSE(worth_leaving(costs, x16, x16));
  EXPECT_FALSE(worth_leaving(costs, x16, x8));
  EXPECT_TRUE(worth_leaving(costs, x16, x4));
  EXPECT_TRUE(worth_leaving(costs, x4, x2)) << "few lanes are left at once";
}
#endif

// Steps of 33, 34, 50 and 120 units for 1, 2, 4 and 16 lanes.
TEST(CheapestRow, OneLongMessageDoesNotTakeManyLanes) {
  const std::vector<Cost> costs = {{10, 1, 0, 33}, {11, 2, 0, 34}, {12, 4, 0, 50}, {13, 16, 0, 120}};
  EXPECT_EQ(cheapest_row(costs, 16, {16 * 24, 24}), 13u) << "16 equal ones: 24 steps";
  EXPECT_EQ(cheapest_row(costs, 4, {4 * 24, 24}), 12u);
  EXPECT_EQ(cheapest_row(costs, 2, {2 * 24, 24}), 11u);
  EXPECT_EQ(cheapest_row(costs, 4, {1000 + 3 * 3, 1000}), 11u)
      << "the short ones fit beside it in one more lane";
  EXPECT_EQ(cheapest_row(costs, 16, {1000 + 15 * 3, 1000}), 11u);
  EXPECT_EQ(cheapest_row(costs, 8, {4 * 24 + 4 * 3, 24}), 12u);
}

TEST(CheapestRow, NamedChoicesHaveNone) {
  const auto named = BackendChoice::named("generic");
  EXPECT_EQ(named.choice->row_for(8, {1021, 1000}, Length::kLong), row_named("generic"));
}

TEST(Telemetry, CountsEveryBlockOnceByLanesInUse) {
  fpu::Context fpu;
  for (const sha1::Backend* backend : sha1::Selection::instance().usable()) {
    Burst burst(*BackendChoice::named(backend->name).choice);
    Load load;
    for (std::size_t i = 0; i < 21; ++i) load.add(64 * i);
    burst.start(load.jobs());
    ASSERT_EQ(burst.run(fpu), Outcome::kDone);
    const std::size_t row = row_named(backend->name);
    EXPECT_EQ(burst.telemetry().blocks(row), 20u * 21 / 2 + 2 * 21)
        << backend->name << ": message, padding, outer";
    EXPECT_EQ(burst.telemetry().wasted(row, backend->lanes) > 0, backend->lanes > 1) << backend->name;
  }
}

}  // namespace
}  // namespace gate96::hmac
