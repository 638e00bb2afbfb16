// SPDX-License-Identifier: BSD-3-Clause
// The rules of deferral case by case: who may overtake, when a queue is full, and SAs that go away.
#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "fpu/deferral.h"

namespace gate96::fpu {
namespace {

FpuConfig deferring(Order order, unsigned limit = 1000, unsigned budget = 4) {
  FpuConfig config;
  config.fallback = Fallback::kDefer;
  config.order = order;
  config.queue_limit = limit;
  config.defer_budget = budget;
  return config;
}

TEST(Order, TaskContextMayOvertakeOnlyUnderKernel) {
  SaOrder sa;
  EXPECT_EQ(fate_of(Order::kSa, sa, true, false), Fate::kInPlace);
  sa.outstanding = 1;
  EXPECT_EQ(fate_of(Order::kSa, sa, true, false), Fate::kDefer);
  EXPECT_EQ(fate_of(Order::kSa, sa, true, true), Fate::kDefer);
  EXPECT_EQ(fate_of(Order::kKernel, sa, true, false), Fate::kInPlace);
  EXPECT_EQ(fate_of(Order::kKernel, sa, true, true), Fate::kDefer);
  EXPECT_EQ(fate_of(Order::kNone, sa, true, true), Fate::kInPlace);
  for (const Order order : {Order::kSa, Order::kKernel, Order::kNone}) {
    EXPECT_EQ(fate_of(order, sa, false, false), Fate::kDefer);
  }
}

void* handle(std::uintptr_t number) {
  return reinterpret_cast<void*>(number);
}

TEST(Limits, FullQueueDropsOrGoesOnIntoTheBacklog) {
  for (const unsigned limit : {1u, 100u, 1000u}) {
    SaOrder sa;
    Counters counters;
    Deferral dropping(deferring(Order::kSa, limit), {}, counters);
    for (unsigned i = 1; i <= limit; ++i) ASSERT_EQ(dropping.defer(handle(i), sa), Admit::kQueued);
    EXPECT_EQ(dropping.defer(handle(limit + 1), sa), Admit::kQueueFull);
    EXPECT_EQ(counters.overflow.get(), 1u);
    EXPECT_EQ(counters.queue_high.get(), limit);
    EXPECT_EQ(sa.outstanding, limit);
  }
  FpuConfig config = deferring(Order::kSa, 2);
  config.backlog = true;
  SaOrder sa;
  Counters counters;
  Deferral keeping(config, {.backlog = 2}, counters);
  EXPECT_EQ(keeping.defer(handle(1), sa), Admit::kQueued);
  EXPECT_EQ(keeping.defer(handle(2), sa), Admit::kQueued);
  EXPECT_EQ(keeping.defer(handle(3), sa), Admit::kBacklogged);
  EXPECT_EQ(keeping.defer(handle(4), sa), Admit::kBacklogged);
  EXPECT_EQ(keeping.defer(handle(5), sa), Admit::kBacklogFull);
  EXPECT_EQ(counters.backlogged.get(), 2u);
  EXPECT_EQ(counters.backlog_overflow.get(), 1u);
  EXPECT_EQ(counters.overflow.get(), 0u);
}

TEST(Limits, ABacklogThatIsOffTakesNothing) {
  SaOrder sa;
  Counters counters;
  Deferral deferral(deferring(Order::kSa, 1), {.backlog = 10}, counters);
  EXPECT_EQ(deferral.defer(handle(1), sa), Admit::kQueued);
  EXPECT_EQ(deferral.defer(handle(2), sa), Admit::kQueueFull);
}

TEST(Limits, TakingMakesRoom) {
  SaOrder sa;
  Counters counters;
  Deferral deferral(deferring(Order::kSa, 2, 1), {}, counters);
  std::array<Taken, 8> taken;
  EXPECT_EQ(deferral.take(taken), 0u);
  (void)deferral.defer(handle(1), sa);
  (void)deferral.defer(handle(2), sa);
  EXPECT_EQ(deferral.take(taken), 1u) << "the budget of a drain";
  EXPECT_EQ(taken[0].packet, handle(1));
  EXPECT_EQ(counters.queue_depth.get(), 1u);
  EXPECT_EQ(deferral.defer(handle(3), sa), Admit::kQueued);
  EXPECT_EQ(deferral.defer(handle(4), sa), Admit::kQueueFull);
  EXPECT_EQ(deferral.num_held(), 3u);
}

TEST(Order, DeletedSaLosesNothingElse) {
  SaOrder gone, stays;
  Counters counters;
  Deferral deferral(deferring(Order::kSa, 100, 2), {}, counters);
  for (std::uintptr_t i = 1; i <= 8; ++i) (void)deferral.defer(handle(i), i % 2 == 0 ? gone : stays);
  std::array<Taken, 2> taken;
  ASSERT_EQ(deferral.take(taken), 2u);

  std::array<void*, 2> dropped;
  ASSERT_EQ(deferral.forget(gone, dropped), 2u);
  EXPECT_EQ(dropped[0], handle(4));
  EXPECT_EQ(dropped[1], handle(6));
  ASSERT_EQ(deferral.forget(gone, dropped), 1u);
  EXPECT_EQ(dropped[0], handle(8));
  EXPECT_EQ(deferral.forget(gone, dropped), 0u);
  EXPECT_EQ(gone.outstanding, 0u);

  std::vector<std::pair<void*, SaOrder*>> back;
  std::array<HandedBack, 8> out;
  std::size_t num_taken = 2;
  do {
    for (std::size_t i = 0; i < num_taken; ++i) deferral.complete(taken[i].slot);
    const std::size_t num = deferral.hand_back(out);
    for (std::size_t i = 0; i < num; ++i) back.emplace_back(out[i].packet, out[i].sa);
    num_taken = deferral.take(taken);
  } while (num_taken > 0);
  const std::vector<std::pair<void*, SaOrder*>> expected{{handle(1), &stays},
                                                         {handle(2), nullptr},
                                                         {handle(3), &stays},
                                                         {handle(5), &stays},
                                                         {handle(7), &stays}};
  EXPECT_EQ(back, expected);
  EXPECT_EQ(deferral.num_held(), 0u);
}

TEST(OrderDeathTest, CompletingTwiceAborts) {
  SaOrder sa;
  Counters counters;
  Deferral deferral(deferring(Order::kSa), {}, counters);
  (void)deferral.defer(handle(1), sa);
  std::array<Taken, 1> taken;
  ASSERT_EQ(deferral.take(taken), 1u);
  deferral.complete(taken[0].slot);
  EXPECT_DEATH(deferral.complete(taken[0].slot), "not in progress");
}

}  // namespace
}  // namespace gate96::fpu
