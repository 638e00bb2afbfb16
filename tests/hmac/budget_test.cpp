// SPDX-License-Identifier: BSD-3-Clause
// A burst cut into pieces by budgets, on backends that change from call to call, gives the same ICVs.
#include <gtest/gtest.h>

#include "tests/hmac/load.h"

namespace gate96::hmac {
namespace {

// A mixture that brings every kind of run: whole, in pieces, with ESN, empty, long.
void fill(Load& load, std::size_t num_messages) {
  for (std::size_t i = 0; i < num_messages; ++i) {
    const std::size_t len = load.random()() % (i % 4 == 0 ? 900 : 150);
    switch (load.random()() % 4) {
      case 0:
        load.add_pieces({len, len % 100, 64}, i % 2 == 0);
        break;
      case 1:
        load.add_with_esn(len);
        break;
      default:
        load.add(len);
    }
  }
}

TEST(Budget, EveryFixedBudgetOnEveryBackend) {
  fpu::Context fpu;
  for (std::size_t num_messages : {1, 3, 5, 16, 19, 40}) {
    Load load(static_cast<std::uint32_t>(num_messages));
    fill(load, num_messages);
    for (Burst& burst : all_engines()) {
      for (std::size_t budget : {1, 64, 65, 200, 1024, 5000, 100000}) {
        load.clear_icvs();
        burst.start(load.jobs());
        while (burst.run(fpu, budget) == Outcome::kBudget) continue;
        load.expect_right(burst.choice().name() + ", budget " + std::to_string(budget));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Budget, VectorAndScalarTakeTurns) {
  fpu::Context fpu;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Load load(seed);
    fill(load, 1 + load.random()() % 64);
    for (Burst& burst : all_engines()) {
      load.clear_icvs();
      burst.start(load.jobs());
      Outcome outcome = Outcome::kBudget;
      while (outcome == Outcome::kBudget) {
        const std::size_t budget = 1 + load.random()() % 4000;
        outcome = load.random()() % 2 == 0 ? burst.run(fpu, budget) : burst.run_scalar(budget);
      }
      ASSERT_EQ(outcome, Outcome::kDone);
      load.expect_right(burst.choice().name() + ", seed " + std::to_string(seed));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Budget, IsKeptToOneBlockALane) {
  fpu::Context fpu;
  for (Burst& burst : all_engines()) {
    Load load;
    for (int i = 0; i < 16; ++i) load.add(64 * 100);
    burst.start(load.jobs());
    std::size_t num_calls = 1;
    while (burst.run(fpu, 64 * 160) == Outcome::kBudget) ++num_calls;
    EXPECT_GE(num_calls, 10u) << burst.choice().name()
                              << ": 16 x 102 blocks, 160 a call and 16 over at the most";
    EXPECT_LE(num_calls, 12u) << burst.choice().name();
  }
}

TEST(Budget, NoneDoesNothing) {
  fpu::Context fpu;
  Load load;
  load.add(100);
  for (Burst& burst : all_engines()) {
    load.clear_icvs();
    burst.start(load.jobs());
    EXPECT_EQ(burst.run(fpu, 0), Outcome::kBudget);
    EXPECT_EQ(burst.run_scalar(0), Outcome::kBudget);
    EXPECT_EQ(burst.run(fpu), Outcome::kDone);
    load.expect_right(burst.choice().name());
  }
}

}  // namespace
}  // namespace gate96::hmac
