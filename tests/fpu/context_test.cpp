// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/context.h"

#include <gtest/gtest.h>

#include "fpu/settings.h"

namespace gate96::fpu {
namespace {

constexpr std::size_t index_of(Refusal refusal) {
  return static_cast<std::size_t>(refusal);
}

TEST(Context, AlwaysGrantsAndCounts) {
  Context context;
  EXPECT_EQ(context.world(), nullptr);
  EXPECT_EQ(context.section_bytes(), SIZE_MAX);
  for (int i = 1; i <= 3; ++i) {
    const Arrival arrival(context);
    ASSERT_TRUE(context.ask());
    Section section(context);
    section.count(100);
    section.count(i);
  }
  context.count_scalar(7);
  const Counters& counters = context.counters();
  EXPECT_EQ(counters.asks.get(), 3u);
  EXPECT_EQ(counters.grants(), 3u);
  EXPECT_EQ(counters.sections.get(), 3u);
  EXPECT_EQ(counters.simd_bytes.get(), 306u);
  EXPECT_EQ(counters.section_bytes_max.get(), 103u);
  EXPECT_EQ(counters.scalar_bytes.get(), 7u);
  EXPECT_EQ(counters.saves.get() + counters.restores.get(), 0u);
}

TEST(Context, ConfiguredAlwaysHasNoModelEither) {
  FpuConfig config;
  config.section_bytes = 4096;
  const Context context(config);
  EXPECT_EQ(context.world(), nullptr);
  EXPECT_EQ(context.section_bytes(), 4096u);
}

TEST(Context, SmallWorkIsNotWorthASection) {
  for (const std::string_view profile : {"always", "linux-5.18"}) {
    FpuConfig config;
    config.profile = profile;
    config.scalar_below = 64;
    Context context(config);
    context.arrive(1);
    EXPECT_FALSE(context.ask(63)) << profile;
    EXPECT_TRUE(context.ask(64)) << profile;
    EXPECT_TRUE(context.ask()) << profile;
    EXPECT_EQ(context.counters().refusals[index_of(Refusal::kSmall)].get(), 1u);
  }
}

TEST(Context, DisabledForTestRefusesUnderAnyProfile) {
  for (const std::string_view profile : {"always", "linux-4.14", "sparc64-vis"}) {
    FpuConfig config;
    config.profile = profile;
    Context context(config);
    context.set_simd_disabled(true);
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(context.ask()) << profile;
    context.set_simd_disabled(false);
    EXPECT_TRUE(context.ask()) << profile;
    EXPECT_EQ(context.counters().refusals[index_of(Refusal::kSwitchedOff)].get(), 5u);
    EXPECT_EQ(context.counters().grants(), 1u);
  }
}

TEST(Context, SimdOffRateIsTheShareOfAsksRefused) {
  constexpr int kAsks = 100000;
  for (const std::string_view profile : {"always", "linux-5.18"}) {
    for (const double rate : {0.0, 0.1, 0.75, 1.0}) {
      FpuConfig config;
      config.profile = profile;
      config.simd_off_rate = rate;
      Context context(config);
      for (int i = 0; i < kAsks; ++i) (void)context.ask();
      const auto off =
          static_cast<double>(context.counters().refusals[index_of(Refusal::kSwitchedOff)].get());
      EXPECT_NEAR(off / kAsks, rate, 0.01) << profile;
      if (rate == 1.0) {
        EXPECT_EQ(off, kAsks);
      }
      EXPECT_EQ(context.counters().grants(), kAsks - off);
    }
  }
}

/// One softirq over a user task that owns the registers, with one section: SAVE and RESTORE under linux-4.14.
void one_pair(Context& context) {
  context.arrive(1);
  ASSERT_TRUE(context.ask());
  { const Section section(context); }
  context.depart();
}

FpuConfig user_arrivals() {
  FpuConfig config;
  config.profile = "linux-4.14";
  config.workload = "busy-user-fpu";
  config.share_kernel = config.share_ksoftirqd = 0;
  return config;
}

TEST(Costs, RealCountAndOff) {
  for (const SaveCost cost : {SaveCost::kReal, SaveCost::kCount, SaveCost::kOff}) {
    FpuConfig config = user_arrivals();
    config.save_cost = cost;
    Context context(config);
    one_pair(context);
    const Counters& counters = context.counters();
    // The switch to the user task is a RESTORE of its own.
    EXPECT_EQ(counters.saves.get(), cost == SaveCost::kOff ? 0u : 1u);
    EXPECT_EQ(counters.restores.get(), cost == SaveCost::kOff ? 0u : 2u);
    EXPECT_EQ(counters.state_bytes.get(), cost == SaveCost::kOff ? 0u : 3 * 832u);
#if defined(__x86_64__)
    EXPECT_EQ(counters.state_ticks.get() > 0, cost == SaveCost::kReal);
#else
    EXPECT_EQ(counters.state_ticks.get(), 0u) << "counted and not executed";
#endif
  }
}

TEST(Costs, ComponentsOfTheTaskOrOfTheBackend) {
  for (const auto& [task, len] :
       {std::pair{Width::kSse, 576u}, {Width::kAvx, 832u}, {Width::kAvx512, 2432u}}) {
    FpuConfig config = user_arrivals();
    config.live_components = task;
    Context by_task(config);
    by_task.set_backend(Width::kSse);
    one_pair(by_task);
    EXPECT_EQ(by_task.counters().state_bytes.get(), 3 * len);

    config.live_components = Width::kSse;
    config.save_components = SaveComponents::kBackend;
    Context by_backend(config);
    by_backend.set_backend(task);
    one_pair(by_backend);
    EXPECT_EQ(by_backend.counters().state_bytes.get(), 3 * len);
  }
}

TEST(Costs, Sparc64MovesHalves) {
  FpuConfig config = user_arrivals();
  config.profile = "sparc64-vis";
  for (const Halves halves : {Halves::kLower, Halves::kBoth}) {
    Context context(config);
    context.set_backend(Width::kSse, halves);
    one_pair(context);
    one_pair(context);  // the user task's next instruction has trapped
    EXPECT_EQ(context.counters().saves.get(), 2u);
    EXPECT_EQ(context.counters().restores.get(), 1u);
    EXPECT_EQ(context.counters().state_bytes.get(), 3 * (halves == Halves::kLower ? 128u : 256u));
  }
}

TEST(Costs, LongestSectionIsTimed) {
  Context context(user_arrivals());
  one_pair(context);
  EXPECT_GT(context.counters().section_ns_max.get(), 0u);
}

TEST(ContextDeathTest, UncheckedSettingsAbort) {
  FpuConfig config;
  config.profile = "linux-1.0";
  EXPECT_DEATH(Context context(config), "linux-1.0");
}

}  // namespace
}  // namespace gate96::fpu
