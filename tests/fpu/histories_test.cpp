// SPDX-License-Identifier: BSD-3-Clause
// Known histories: events in order, and how often each kernel SAVEd and RESTOREd over them.
#include "tests/fpu/recorder.h"

namespace gate96::fpu {
namespace {

constexpr Interrupted kUser = Interrupted::kUser;
constexpr Interrupted kKernel = Interrupted::kKernel;

TEST(History, Linux2639TurnsOnTheTaskSwitchedFlag) {
  Bench bench("linux-2.6.39");
  bench.user_owns();
  EXPECT_FALSE(bench.machine.cpu().ts);

  EXPECT_TRUE(bench.softirq_section(kUser));
  EXPECT_EQ(bench.moves(), (Moves{1, 0}));
  EXPECT_TRUE(bench.machine.cpu().ts);

  bench.machine.system_call();
  EXPECT_TRUE(bench.softirq_section(kKernel)) << "TS is set: nobody's state is live";
  EXPECT_EQ(bench.moves(), (Moves{1, 0}));

  bench.machine.return_to_user();
  bench.machine.user_fp();
  EXPECT_EQ(bench.moves(), (Moves{1, 1})) << "the instruction traps";
  bench.machine.user_fp();
  EXPECT_EQ(bench.moves(), (Moves{1, 1})) << "no second trap";

  bench.machine.system_call();
  EXPECT_FALSE(bench.softirq_section(kKernel));
  EXPECT_EQ(bench.recorder.num_violations(), 0);
}

/// N sections in one system call of a task that owns the registers, then the way back to user mode.
Moves system_call_with_sections(std::string_view profile, int num_sections, bool eager = true) {
  Bench bench(profile, eager);
  bench.user_owns();
  bench.machine.system_call();
  for (int i = 0; i < num_sections; ++i) bench.section();
  bench.machine.return_to_user();
  bench.machine.user_fp();
  EXPECT_EQ(bench.recorder.num_violations(), 0) << profile;
  return bench.moves();
}

TEST(History, SectionsInOneSystemCall) {
  for (const int n : {1, 2, 7, 100}) {
    EXPECT_EQ(system_call_with_sections("always", n), (Moves{0, 0}));
    EXPECT_EQ(system_call_with_sections("linux-2.6.39", n), (Moves{1, 1}))
        << "lazy: SAVE once, RESTORE by trap";
    EXPECT_EQ(system_call_with_sections("linux-3.3", n), (Moves{1, 1}));
    EXPECT_EQ(system_call_with_sections("linux-3.10-eager", n), (Moves{n, n}));
    EXPECT_EQ(system_call_with_sections("linux-4.8", n), (Moves{n, n}));
    EXPECT_EQ(system_call_with_sections("linux-4.8", n, false), (Moves{n, n}))
        << "ownership survives the section";
    EXPECT_EQ(system_call_with_sections("linux-4.14", n), (Moves{n, n}));
    EXPECT_EQ(system_call_with_sections("linux-5.2", n), (Moves{1, 1}));
    EXPECT_EQ(system_call_with_sections("linux-5.18", n), (Moves{1, 1}));
    EXPECT_EQ(system_call_with_sections("linux-6.15", n), (Moves{1, 1}));
    EXPECT_EQ(system_call_with_sections("sparc64-vis", n), (Moves{1, 1}));
  }
}

TEST(History, KthreadsCostNothing) {
  for (const Profile* profile : profiles()) {
    if (profile->name == "never") continue;
    Bench bench(profile->name);
    for (int i = 0; i < 5; ++i) bench.section();
    EXPECT_EQ(bench.moves(), (Moves{0, 0})) << profile->name;
    EXPECT_EQ(bench.recorder.num_violations(), 0) << profile->name;
  }
}

TEST(History, EagerLinux310RefusesEverySoftirqOverIdle) {
  Bench bench("linux-3.10-eager");
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(bench.softirq_section(kKernel));
  bench.user_owns();
  EXPECT_TRUE(bench.softirq_section(kUser));
  EXPECT_EQ(bench.moves(), (Moves{1, 1}));
  bench.machine.system_call();
  EXPECT_TRUE(bench.softirq_section(kKernel)) << "the owner was restored at once";
}

/// Two user tasks take turns; both compute in every slice.
Moves time_slices(std::string_view profile, int num_slices, bool eager = true) {
  Bench bench(profile, eager);
  Task other;
  bench.machine.start_task(other);
  bench.user_owns();
  for (int i = 0; i < num_slices; ++i) {
    bench.machine.switch_to(i % 2 == 0 ? other : bench.user);
    bench.machine.return_to_user();
    bench.machine.user_fp();
  }
  return bench.moves();
}

TEST(History, ContextSwitches) {
  for (const Profile* profile : profiles()) {
    if (profile->name == "always" || profile->name == "never") continue;
    // Whatever the kernel: the one that leaves is saved, the one that comes is restored once, by trap or at
    // once. On sparc64 a task's first use restores nothing, as no half was ever saved.
    const int first_use = profile->name == "sparc64-vis" ? 1 : 0;
    EXPECT_EQ(time_slices(profile->name, 20), (Moves{20, 20 - first_use})) << profile->name;
  }
  EXPECT_EQ(time_slices("linux-4.8", 20, false), (Moves{20, 20}));
}

TEST(History, LazyKernelsPreloadAfterFiveSlices) {
  for (const std::string_view profile : {"linux-2.6.39", "linux-3.3", "linux-4.8"}) {
    Bench bench(profile, false);
    bench.user_owns();
    for (int slices = 1; slices <= 7; ++slices) {
      bench.machine.switch_to(bench.idle);
      bench.forget_moves();
      bench.machine.switch_to(bench.user);
      EXPECT_EQ(bench.recorder.restores, slices > 5 ? 1 : 0) << profile << ", after " << slices << " slices";
      bench.machine.user_fp();
    }
    bench.machine.switch_to(bench.idle);
    bench.machine.switch_to(bench.user);  // preloaded, but this slice does without FP
    bench.machine.switch_to(bench.idle);
    bench.forget_moves();
    bench.machine.switch_to(bench.user);
    EXPECT_EQ(bench.recorder.restores, 0) << profile << ": the row of slices was broken";
  }
}

TEST(History, EagerKernelsRestoreEveryUserTaskAtTheSwitch) {
  for (const std::string_view profile : {"linux-3.10-eager", "linux-4.8", "linux-4.14"}) {
    Bench bench(profile);
    for (int i = 1; i <= 3; ++i) {
      bench.machine.switch_to(bench.user);
      EXPECT_EQ(bench.moves(), (Moves{i - 1, i})) << profile << ": although it never used FP";
      bench.machine.switch_to(bench.idle);
      EXPECT_EQ(bench.moves(), (Moves{i, i})) << profile;
    }
  }
}

TEST(History, DeferredRestoreIsSkippedWhenNobodyUsedTheRegisters) {
  for (const std::string_view profile : {"linux-5.2", "linux-5.18", "linux-6.15"}) {
    Bench bench(profile);
    bench.user_owns();
    bench.machine.switch_to(bench.idle);
    bench.machine.switch_to(bench.user);
    bench.machine.return_to_user();
    EXPECT_EQ(bench.moves(), (Moves{1, 0})) << profile << ": its state was still there";

    bench.machine.switch_to(bench.idle);
    bench.section();
    bench.machine.switch_to(bench.user);
    bench.machine.return_to_user();
    EXPECT_EQ(bench.moves(), (Moves{2, 1})) << profile << ": the idle task's section took the registers";
  }
}

TEST(History, DeferredRestoreAfterASectionIsNotSavedAgain) {
  Bench bench("linux-5.2");
  bench.user_owns();
  bench.machine.system_call();
  bench.section();
  bench.machine.switch_to(bench.idle);
  EXPECT_EQ(bench.moves(), (Moves{1, 0})) << "its state is in memory already";
}

TEST(History, StateLeftBehindOnAnotherCpuIsStale) {
  for (const std::string_view profile : {"linux-5.2", "linux-5.18", "linux-6.15"}) {
    Recorder recorder;
    Task idle0, idle1, user;
    Machine cpu0(*find_profile(profile), idle0, recorder, true, 0);
    Machine cpu1(*find_profile(profile), idle1, recorder, true, 1);
    const auto slice_on = [&](Machine& cpu, Task& idle) {
      cpu.switch_to(user);
      cpu.return_to_user();
      cpu.switch_to(idle);
      return recorder.restores;
    };
    EXPECT_EQ(slice_on(cpu0, idle0), 1) << profile;
    EXPECT_EQ(slice_on(cpu0, idle0), 1) << profile << ": still there";
    EXPECT_EQ(slice_on(cpu1, idle1), 2) << profile << ": never was there";
    EXPECT_EQ(slice_on(cpu0, idle0), 3) << profile << ": it has computed elsewhere since";
  }
}

TEST(History, SectionsOfNobodysRegistersForgetTheOwner) {
  for (const Profile* profile : profiles()) {
    if (!profile->name.starts_with("linux") || profile->name == "linux-2.6.39") continue;
    Bench bench(profile->name);
    bench.user_owns();
    bench.machine.switch_to(bench.idle);
    ASSERT_EQ(bench.machine.cpu().cpu_owner, &bench.user) << profile->name;
    bench.section();
    EXPECT_EQ(bench.machine.cpu().cpu_owner, nullptr) << profile->name;
  }
}

TEST(History, LazyKernelsClearTaskSwitchedForTheSectionOnly) {
  for (const std::string_view profile : {"linux-2.6.39", "linux-3.3", "linux-4.8"}) {
    Bench bench(profile, false);
    bench.machine.begin();
    EXPECT_FALSE(bench.machine.cpu().ts) << profile;
    bench.machine.end();
    EXPECT_TRUE(bench.machine.cpu().ts) << profile;
  }
}

}  // namespace
}  // namespace gate96::fpu
