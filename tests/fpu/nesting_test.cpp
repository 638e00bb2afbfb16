// SPDX-License-Identifier: BSD-3-Clause
// Sections inside sections, and the other ways to break a bracket: what each kernel does and what is counted.
#include "tests/fpu/recorder.h"

namespace gate96::fpu {
namespace {

constexpr Interrupted kUser = Interrupted::kUser;
constexpr Interrupted kKernel = Interrupted::kKernel;

TEST(Nesting, LazyKernelsLoseTheOuterSection) {
  for (const std::string_view profile : {"linux-2.6.39", "linux-3.3"}) {
    Bench bench(profile);
    bench.user_owns();
    bench.machine.system_call();
    bench.machine.begin();
    bench.machine.begin();
    EXPECT_EQ(bench.recorder.num_violations(), 0) << profile << ": not tracked";
    bench.machine.end();
    EXPECT_TRUE(bench.machine.cpu().ts) << profile << ": set under the outer section";
    EXPECT_EQ(bench.recorder.count(Violation::kInnerEnd), 1) << profile;
    bench.machine.end();
    EXPECT_EQ(bench.recorder.num_violations(), 1) << profile;
  }
}

TEST(Nesting, EagerLinux310RestoresUnderTheOuterSection) {
  Bench bench("linux-3.10-eager");
  bench.user_owns();
  bench.machine.system_call();
  bench.machine.begin();
  bench.machine.begin();
  bench.machine.end();
  EXPECT_EQ(bench.moves(), (Moves{1, 1}));
  EXPECT_TRUE(bench.machine.cpu().task->owns);
  EXPECT_EQ(bench.recorder.count(Violation::kInnerEnd), 1);
}

TEST(Nesting, InTaskContextFrom48To52ProceedsAndIsCounted) {
  for (const std::string_view profile : {"linux-4.8", "linux-4.14", "linux-5.2"}) {
    Bench bench(profile);
    bench.user_owns();
    bench.machine.system_call();
    bench.machine.begin();
    EXPECT_TRUE(bench.usable()) << profile;
    bench.machine.begin();
    EXPECT_EQ(bench.recorder.count(Violation::kNested), 1) << profile;
    bench.machine.end();
    EXPECT_FALSE(bench.machine.cpu().in_section) << profile << ": the inner end clears it";
    bench.machine.end();
    EXPECT_EQ(bench.machine.cpu().preempt_count, 0u) << profile;
  }
}

TEST(Nesting, OverUserModeFrom48To52ProceedsAndIsCounted) {
  for (const std::string_view profile : {"linux-4.8", "linux-4.14", "linux-5.2"}) {
    Bench bench(profile);
    bench.user_owns();
    bench.softirq_over(kUser);
    bench.machine.begin();
    EXPECT_TRUE(bench.usable()) << profile << ": the rule does not look at the section";
    bench.machine.begin();
    EXPECT_EQ(bench.recorder.count(Violation::kNested), 1) << profile;
    bench.machine.end();
    EXPECT_FALSE(bench.machine.cpu().in_section) << profile << ": the inner end clears it";
    bench.machine.end();
    bench.softirq_done();
    EXPECT_EQ(bench.recorder.num_violations(), 1) << profile;
  }
}

TEST(Nesting, SoftirqOverAKernelSection) {
  for (const Profile* profile : profiles()) {
    if (profile->name == "always" || profile->name == "never" || profile->name == "linux-6.15") continue;
    Bench bench(profile->name);
    bench.user_owns();
    bench.machine.system_call();
    bench.machine.begin();
    const bool granted = bench.softirq_section(kKernel);
    EXPECT_EQ(granted, profile->name == "sparc64-vis") << profile->name;
    bench.machine.end();
    EXPECT_EQ(bench.recorder.num_violations(), 0) << profile->name;
  }
}

TEST(Nesting, Linux518RefusesAnywhere) {
  for (const std::string_view profile : {"linux-5.18", "linux-6.15"}) {
    Bench bench(profile);
    bench.machine.begin();
    EXPECT_EQ(bench.machine.usable(), Refusal::kInSection) << profile;
    bench.machine.end();
    bench.softirq_over(kUser);
    EXPECT_TRUE(bench.usable()) << profile;
    bench.machine.interrupt_entry(kKernel);
    EXPECT_EQ(bench.machine.usable(), Refusal::kHardirq) << profile << ": over a softirq";
    bench.machine.interrupt_exit();
    bench.machine.nmi_entry(kKernel);
    EXPECT_EQ(bench.machine.usable(), Refusal::kNmi) << profile;
    bench.machine.interrupt_exit();
    bench.softirq_done();
    bench.machine.interrupt_entry(kKernel);
    EXPECT_TRUE(bench.usable()) << profile << ": a hardirq over a task";
    bench.machine.interrupt_exit();
  }
}

TEST(Nesting, Linux615SectionsHoldSoftirqsOff) {
  Bench bench("linux-6.15");
  bench.machine.begin();
  EXPECT_FALSE(bench.machine.softirq_can_run());
  bench.machine.interrupt_entry(kKernel);
  EXPECT_FALSE(bench.machine.softirq_can_run()) << "nor at the exit of an interrupt";
  bench.machine.interrupt_exit();
  bench.machine.end();
  EXPECT_TRUE(bench.machine.softirq_can_run());

  bench.softirq_over(kUser);
  bench.section();
  EXPECT_EQ(bench.machine.cpu().softirq_count, 1u) << "a section in a softirq does not turn them on";
  bench.softirq_done();

  Bench older("linux-5.18");
  older.machine.begin();
  EXPECT_TRUE(older.machine.softirq_can_run()) << "5.18: only preemption is off";
}

TEST(Nesting, Linux615WithInterruptsOff) {
  Bench bench("linux-6.15");
  bench.machine.irqs_off();
  bench.machine.begin();
  EXPECT_EQ(bench.machine.cpu().softirq_count, 0u);
  bench.machine.end();
  EXPECT_EQ(bench.recorder.num_violations(), 0);

  bench.machine.begin();
  bench.machine.irqs_on();
  bench.machine.end();
  EXPECT_EQ(bench.recorder.count(Violation::kIrqsChanged), 1);

  bench.machine.begin();
  bench.machine.irqs_off();
  bench.machine.end();
  EXPECT_EQ(bench.recorder.count(Violation::kIrqsChanged), 2);

  Bench older("linux-5.18");
  older.machine.irqs_off();
  older.machine.begin();
  older.machine.irqs_on();
  older.machine.end();
  EXPECT_EQ(older.recorder.num_violations(), 0);
}

TEST(Violations, BeginWithoutLeave) {
  for (const auto& [profile, expected] :
       {std::pair{"never", 1}, {"linux-2.6.39", 1}, {"linux-3.3", 1}, {"always", 0}}) {
    Bench bench(profile);
    bench.user_owns();
    bench.machine.system_call();
    bench.softirq_over(kKernel);
    bench.section();
    EXPECT_EQ(bench.recorder.count(Violation::kNotGranted), expected) << profile;
  }
}

TEST(Violations, EndWithoutBeginChangesNothing) {
  for (const Profile* profile : profiles()) {
    Bench bench(profile->name);
    bench.user_owns();
    bench.machine.end();
    EXPECT_EQ(bench.recorder.count(Violation::kEndWithoutBegin), 1) << profile->name;
    EXPECT_EQ(bench.machine.cpu().preempt_count, 0u) << profile->name;
    EXPECT_EQ(bench.moves(), (Moves{0, 0})) << profile->name;
  }
}

TEST(Violations, SwitchInsideASection) {
  Bench bench("linux-5.18");
  bench.machine.begin();
  bench.machine.switch_to(bench.user);
  EXPECT_EQ(bench.recorder.count(Violation::kSwitchInSection), 1);
}

TEST(Sections, KeepPreemptionOff) {
  for (const Profile* profile : profiles()) {
    if (!profile->name.starts_with("linux")) continue;
    Bench bench(profile->name);
    EXPECT_FALSE(bench.machine.cpu().atomic()) << profile->name;
    bench.machine.begin();
    EXPECT_TRUE(bench.machine.cpu().atomic()) << profile->name;
    bench.machine.end();
    EXPECT_FALSE(bench.machine.cpu().atomic()) << profile->name;
  }
}

TEST(MachineDeathTest, BrokenOrderOfEventsAborts) {
  Bench bench("linux-5.18");
  EXPECT_DEATH(bench.machine.interrupt_exit(), "does not match");
  bench.machine.bottom_halves_off();
  EXPECT_DEATH(bench.machine.softirq_entry(), "bottom halves are off");
  bench.machine.bottom_halves_on();
  bench.machine.interrupt_entry(kKernel);
  EXPECT_DEATH(bench.machine.switch_to(bench.user), "inside an interrupt");
  EXPECT_DEATH(bench.machine.softirq_exit(), "does not match");
}

}  // namespace
}  // namespace gate96::fpu
