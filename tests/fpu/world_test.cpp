// SPDX-License-Identifier: BSD-3-Clause
// The stream of arrivals under each profile: who is granted, who is refused, who waits, and what is left
// behind.
#include "fpu/world.h"

#include <gtest/gtest.h>

#include <functional>

#include "fpu/context.h"

namespace gate96::fpu {
namespace {

FpuConfig counting(std::string_view profile, std::string_view workload) {
  FpuConfig config;
  config.profile = profile;
  config.workload = workload;
  config.save_cost = SaveCost::kCount;
  config.section_ns = 10;
  return config;
}

/// Arrivals of one kind only.
FpuConfig only(std::string_view profile, std::optional<double> FpuConfig::*kind) {
  FpuConfig config = counting(profile, "mixed");
  for (const auto share : {&FpuConfig::share_task, &FpuConfig::share_ksoftirqd, &FpuConfig::share_user,
                           &FpuConfig::share_idle, &FpuConfig::share_kernel}) {
    config.*share = share == kind ? 1 : 0;
  }
  config.share_live = 1;
  config.share_in_section = 0;
  config.switches_per_second = 0;
  return config;
}

/// Plays `num` bursts 2 us apart, one ask and, if granted, one section each. Returns how many were granted.
int play(Context& context, int num) {
  int granted = 0;
  for (int i = 0; i < num; ++i) {
    const Arrival arrival(context, 1'000'000'000 + i * 2000);
    if (!context.ask()) continue;
    ++granted;
    Section section(context);
    section.count(1000);
  }
  return granted;
}

int num_violations(const Counters& counters) {
  std::uint64_t sum = 0;
  for (const Counter& counter : counters.violations) sum += counter.get();
  return static_cast<int>(sum);
}

std::uint64_t refused(const Context& context, Refusal reason) {
  return context.counters().refusals[static_cast<std::size_t>(reason)].get();
}

TEST(World, LeavesNothingOpenAndBreaksNoRule) {
  for (const Profile* profile : profiles()) {
    if (profile->name == "always") continue;
    for (const Preset& preset : presets()) {
      Context context(counting(profile->name, preset.name));
      for (int i = 0; i < 200; ++i) {
        (void)play(context, 10);
        const Cpu& cpu = context.world()->machine().cpu();
        ASSERT_EQ(cpu.level, Level::kTask) << profile->name << " " << preset.name;
        ASSERT_FALSE(cpu.in_interrupt() || cpu.atomic() || cpu.in_section || cpu.open_sections > 0)
            << profile->name;
        const Drain drain(context);
        if (context.ask()) const Section section(context);
      }
      EXPECT_EQ(num_violations(context.counters()), 0) << profile->name << " " << preset.name;
      EXPECT_EQ(context.counters().arrivals.get(), 2000u);
      EXPECT_EQ(context.counters().drains.get(), 200u);
    }
  }
}

TEST(World, EqualSeedsGiveEqualRuns) {
  for (const Profile* profile : profiles()) {
    if (profile->name == "always") continue;
    Context a(counting(profile->name, "mixed")), b(counting(profile->name, "mixed"));
    EXPECT_EQ(play(a, 5000), play(b, 5000));
    EXPECT_EQ(a.counters().saves.get(), b.counters().saves.get()) << profile->name;
    EXPECT_EQ(a.counters().restores.get(), b.counters().restores.get()) << profile->name;
    EXPECT_EQ(a.counters().switches.get(), b.counters().switches.get()) << profile->name;
  }
}

TEST(World, OneKindOfArrivalUnderEachProfile) {
  using Kind = std::optional<double> FpuConfig::*;
  constexpr Kind kTask = &FpuConfig::share_task, kKsoftirqd = &FpuConfig::share_ksoftirqd,
                 kUser = &FpuConfig::share_user, kIdle = &FpuConfig::share_idle,
                 kKernel = &FpuConfig::share_kernel;
  struct Row {
    std::string_view profile;
    Kind kind;
    bool granted;
  };
  // User tasks compute all the time here (share_live = 1), so a lazy kernel's registers are always in use.
  const Row rows[] = {{"linux-2.6.39", kTask, true},
                      {"linux-2.6.39", kKsoftirqd, true},
                      {"linux-2.6.39", kUser, true},
                      {"linux-2.6.39", kIdle, true},
                      {"linux-2.6.39", kKernel, false},
                      {"linux-3.3", kKsoftirqd, true},
                      {"linux-3.3", kIdle, true},
                      {"linux-3.3", kKernel, false},
                      {"linux-3.10-eager", kTask, true},
                      {"linux-3.10-eager", kKsoftirqd, false},
                      {"linux-3.10-eager", kUser, true},
                      {"linux-3.10-eager", kIdle, false},
                      {"linux-3.10-eager", kKernel, true},
                      {"linux-4.8", kKernel, true},
                      {"linux-4.14", kIdle, true},
                      {"linux-4.14", kKernel, true},
                      {"linux-5.18", kKernel, true},
                      {"linux-6.15", kKernel, true},
                      {"never", kTask, false},
                      {"sparc64-vis", kKernel, true}};
  constexpr int kNum = 100;
  for (const Row& row : rows) {
    Context context(only(row.profile, row.kind));
    EXPECT_EQ(play(context, kNum), row.granted ? kNum : 0) << row.profile;
    EXPECT_EQ(context.counters().grants(), row.granted ? kNum : 0u) << row.profile;
  }
}

TEST(World, TasksThatDoNotComputeAreInNobodysWay) {
  FpuConfig config = only("linux-2.6.39", &FpuConfig::share_kernel);
  config.share_live = 0;
  Context context(config);
  EXPECT_EQ(play(context, 100), 100);
  EXPECT_EQ(context.counters().saves.get(), 0u);
}

TEST(World, ArrivalInsideASectionIsRefusedWaitsOrNests) {
  constexpr int kNum = 100;
  for (const std::string_view profile : {"linux-4.8", "linux-4.14", "linux-5.2", "linux-5.18"}) {
    FpuConfig config = only(profile, &FpuConfig::share_kernel);
    config.share_in_section = 1;
    Context context(config);
    EXPECT_EQ(play(context, kNum), 0) << profile;
    EXPECT_EQ(refused(context, Refusal::kInSection), static_cast<unsigned>(kNum)) << profile;
    EXPECT_EQ(context.counters().foreign_sections.get(), static_cast<unsigned>(kNum));
    EXPECT_EQ(context.counters().waited.get(), 0u);
  }
  for (const auto& [profile, waits] : {std::pair{"linux-6.15", kNum}, {"sparc64-vis", 0}}) {
    FpuConfig config = only(profile, &FpuConfig::share_kernel);
    config.share_in_section = 1;
    Context context(config);
    EXPECT_EQ(play(context, kNum), kNum) << profile;
    EXPECT_EQ(context.counters().waited.get(), static_cast<unsigned>(waits)) << profile;
    EXPECT_EQ(num_violations(context.counters()), 0) << profile;
  }
}

TEST(World, WaitsForTheRestOfTheSection) {
  FpuConfig config = only("linux-6.15", &FpuConfig::share_kernel);
  config.share_in_section = 1;
  config.section_ns = 2000;
  Context context(config);
  constexpr unsigned kNum = 1000;
  (void)play(context, kNum);
  EXPECT_NEAR(static_cast<double>(context.counters().waited_ns.get()), kNum * 1000.0, kNum * 60.0)
      << "half on average";
}

TEST(World, GatewayIsGrantedUnlessTheKernelIsEager310) {
  constexpr int kNum = 10000;
  for (const std::string_view profile : {"linux-2.6.39", "linux-4.14", "linux-5.18", "linux-6.15"}) {
    Context context(counting(profile, "gateway"));
    EXPECT_GT(play(context, kNum), kNum * 0.98) << profile;
  }
  Context context(counting("linux-3.10-eager", "gateway"));
  EXPECT_LT(play(context, kNum), kNum * 0.05);
}

TEST(World, BusyFpuUsersRefuseEverySoftirqOverKernelCode) {
  Context context(counting("linux-2.6.39", "busy-user-fpu"));
  constexpr int kNum = 10000;
  const int granted = play(context, kNum);
  EXPECT_NEAR(granted, kNum * 0.5, kNum * 0.02) << "all but the half that interrupts kernel code";
  EXPECT_EQ(refused(context, Refusal::kLiveState), static_cast<unsigned>(kNum - granted));
}

TEST(World, SwitchesAreDueByTheClock) {
  FpuConfig config = only("linux-4.14", &FpuConfig::share_user);
  config.switches_per_second = 1000;
  Context context(config);
  const auto burst_at = [&](std::uint64_t ns) {
    context.arrive(ns);
    context.depart();
    return context.counters().switches.get();
  };
  EXPECT_EQ(burst_at(5'000'000), 1u) << "from the idle task to the first user task";
  EXPECT_EQ(burst_at(5'999'000), 1u);
  EXPECT_EQ(burst_at(6'000'000), 2u);
  EXPECT_EQ(burst_at(6'500'000), 2u);
  EXPECT_EQ(burst_at(8'000'000), 4u);
  EXPECT_EQ(burst_at(9'000'000'000), 8u) << "a long sleep is made up for by four at most";
}

TEST(World, DrainRunsInAKthreadAndCostsTwoSwitches) {
  struct Row {
    std::string_view profile;
    unsigned saves, restores;
  };
  // The user task owns the registers; a section in the kthread takes them; the next arrival is over the user
  // again.
  for (const Row& row : {Row{"linux-2.6.39", 1, 1}, Row{"linux-4.14", 1, 1}, Row{"linux-5.18", 1, 1}}) {
    Context context(only(row.profile, &FpuConfig::share_user));
    context.arrive(1);
    context.depart();
    const std::uint64_t saves = context.counters().saves.get(), restores = context.counters().restores.get();
    const std::uint64_t switches = context.counters().switches.get();
    {
      const Drain drain(context);
      EXPECT_TRUE(context.world()->machine().cpu().task->kthread);
      EXPECT_FALSE(context.atomic());
      EXPECT_TRUE(context.ask());
      const Section section(context);
    }
    EXPECT_FALSE(context.world()->machine().cpu().task->kthread);
    EXPECT_EQ(context.counters().switches.get() - switches, 2u);
    context.arrive(2);
    context.depart();
    EXPECT_EQ(context.counters().saves.get() - saves, row.saves) << row.profile;
    EXPECT_EQ(context.counters().restores.get() - restores, row.restores) << row.profile;
  }
}

TEST(World, SoftirqsAreAtomicAndSystemCallsAreNot) {
  Context softirq(only("linux-5.18", &FpuConfig::share_idle));
  softirq.arrive(1);
  EXPECT_TRUE(softirq.atomic());
  softirq.depart();
  Context sender(only("linux-5.18", &FpuConfig::share_task));
  sender.arrive(1);
  EXPECT_FALSE(sender.atomic());
}

}  // namespace
}  // namespace gate96::fpu
