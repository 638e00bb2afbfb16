// SPDX-License-Identifier: BSD-3-Clause
// Each kernel's "may I" row by row: a state of the CPU, and the answer that kernel gives.
#include <gtest/gtest.h>

#include <initializer_list>

#include "fpu/profile.h"

namespace gate96::fpu {
namespace {

constexpr Interrupted kNone = Interrupted::kNone;
constexpr Interrupted kUser = Interrupted::kUser;
constexpr Interrupted kKernel = Interrupted::kKernel;

struct Row {
  bool in_interrupt;
  Interrupted interrupted;
  bool owns;
  bool ts;
  bool in_section;
  Refusal answer;
};

constexpr Refusal kYes = Refusal::kGranted;

void expect_rows(std::string_view name, std::initializer_list<Row> rows, bool eager = true) {
  const Profile* profile = find_profile(name);
  ASSERT_NE(profile, nullptr) << name;
  int number = 0;
  for (const Row& row : rows) {
    Task task{.owns = row.owns};
    Cpu cpu{.eager = eager,
            .interrupted = row.interrupted,
            .in_section = row.in_section,
            .ts = row.ts,
            .task = &task};
    cpu.softirq_count = row.in_interrupt ? 1 : 0;
    EXPECT_EQ(profile->usable(cpu), row.answer) << name << ", row " << number;
    if (row.in_interrupt) {  // a hardirq and an NMI are in_interrupt as well
      cpu.softirq_count = 0;
      cpu.level = Level::kHardirq;
      EXPECT_EQ(profile->usable(cpu), row.answer) << name << " in a hardirq, row " << number;
      cpu.level = Level::kNmi;
      EXPECT_EQ(profile->usable(cpu), row.answer) << name << " in an NMI, row " << number;
    }
    ++number;
  }
}

TEST(TruthTable, TableHoldsEveryProfileOnce) {
  const std::initializer_list<std::string_view> names{
      "always",     "never",     "linux-2.6.39", "linux-3.3",  "linux-3.10-eager", "linux-4.8",
      "linux-4.14", "linux-5.2", "linux-5.18",   "linux-6.15", "sparc64-vis"};
  ASSERT_EQ(profiles().size(), names.size());
  for (const std::string_view name : names) EXPECT_NE(find_profile(name), nullptr) << name;
  EXPECT_EQ(find_profile("linux-2.4"), nullptr);
}

TEST(TruthTable, AlwaysNeverAndSparc64LookAtNothing) {
  for (const auto& [name, answer] :
       {std::pair{"always", kYes}, {"never", Refusal::kNever}, {"sparc64-vis", kYes}}) {
    for (const Interrupted from : {kNone, kUser, kKernel}) {
      for (const bool flag : {false, true}) {
        expect_rows(name, {{false, from, flag, flag, flag, answer}, {true, from, flag, flag, flag, answer}});
        expect_rows(name,
                    {{true, from, flag, !flag, !flag, answer}, {true, from, !flag, flag, !flag, answer}});
      }
    }
  }
}

TEST(TruthTable, Linux2639) {
  for (const bool owns : {false, true}) {
    for (const bool in_section : {false, true}) {
      expect_rows("linux-2.6.39", {{false, kNone, owns, false, in_section, kYes},
                                   {false, kUser, owns, false, in_section, kYes},
                                   {false, kKernel, owns, false, in_section, kYes},
                                   {false, kKernel, owns, true, in_section, kYes},
                                   {true, kNone, owns, false, in_section, kYes},
                                   {true, kNone, owns, true, in_section, kYes},
                                   {true, kUser, owns, false, in_section, kYes},
                                   {true, kUser, owns, true, in_section, kYes},
                                   {true, kKernel, owns, true, in_section, kYes},
                                   {true, kKernel, owns, false, in_section, Refusal::kLiveState}});
    }
  }
}

TEST(TruthTable, Linux33) {
  for (const bool in_section : {false, true}) {
    for (const Interrupted from : {kNone, kKernel}) {
      expect_rows("linux-3.3", {{false, from, true, false, in_section, kYes},
                                {true, from, false, true, in_section, kYes},
                                {true, from, false, false, in_section, Refusal::kLiveState},
                                {true, from, true, true, in_section, Refusal::kLiveState},
                                {true, from, true, false, in_section, Refusal::kLiveState}});
    }
    expect_rows("linux-3.3", {{true, kUser, true, false, in_section, kYes}});
  }
}

TEST(TruthTable, Linux310Eager) {
  for (const bool ts : {false, true}) {
    for (const Interrupted from : {kNone, kKernel}) {
      expect_rows("linux-3.10-eager", {{false, from, false, ts, false, kYes},
                                       {true, from, true, ts, false, kYes},
                                       {true, from, false, ts, false, Refusal::kNotOwned}});
    }
    expect_rows("linux-3.10-eager", {{true, kUser, false, ts, false, kYes}});
  }
}

TEST(TruthTable, Linux48) {
  for (const Interrupted from : {kNone, kKernel}) {
    for (const bool owns : {false, true}) {
      for (const bool ts : {false, true}) {
        expect_rows("linux-4.8", {{false, from, owns, ts, true, kYes},
                                  {true, from, owns, ts, false, kYes},
                                  {true, from, owns, ts, true, Refusal::kInSection}});
        const Refusal lazy = !owns && ts ? kYes : Refusal::kLiveState;
        expect_rows("linux-4.8",
                    {{false, from, owns, ts, true, kYes},
                     {true, from, owns, ts, false, lazy},
                     {true, from, owns, ts, true, Refusal::kInSection},
                     {true, kUser, owns, ts, true, kYes}},
                    false);
      }
    }
  }
  expect_rows("linux-4.8", {{true, kUser, true, false, true, kYes}});
}

TEST(TruthTable, Linux414AndLinux52) {
  for (const std::string_view name : {"linux-4.14", "linux-5.2"}) {
    for (const bool flag : {false, true}) {
      expect_rows(name, {{false, kNone, flag, flag, true, kYes},
                         {true, kUser, flag, flag, true, kYes},
                         {true, kNone, flag, flag, false, kYes},
                         {true, kKernel, flag, flag, false, kYes},
                         {true, kNone, flag, flag, true, Refusal::kInSection},
                         {true, kKernel, flag, flag, true, Refusal::kInSection}});
    }
  }
}

TEST(TruthTable, Linux518AndLinux615) {
  struct Row518 {
    bool nmi, in_section, hardirq;
    unsigned softirq_count;
    Refusal answer;
  };
  // An NMI hides the level below it, so its rows say nothing of hardirqs.
  const std::initializer_list<Row518> rows{
      {true, false, false, 0, Refusal::kNmi},       {true, true, false, 1, Refusal::kNmi},
      {true, false, false, 1, Refusal::kNmi},       {true, true, false, 0, Refusal::kNmi},
      {false, true, false, 0, Refusal::kInSection}, {false, true, false, 1, Refusal::kInSection},
      {false, true, true, 0, Refusal::kInSection},  {false, true, true, 1, Refusal::kInSection},
      {false, false, false, 0, Refusal::kGranted},  {false, false, false, 1, Refusal::kGranted},
      {false, false, false, 2, Refusal::kGranted},  {false, false, true, 0, Refusal::kGranted},
      {false, false, true, 1, Refusal::kHardirq},   {false, false, true, 2, Refusal::kHardirq}};
  for (const std::string_view name : {"linux-5.18", "linux-6.15"}) {
    for (const Row518& row : rows) {
      Task task;
      Cpu cpu{.softirq_count = row.softirq_count, .in_section = row.in_section, .task = &task};
      cpu.level = row.nmi ? Level::kNmi : row.hardirq ? Level::kHardirq : Level::kTask;
      EXPECT_EQ(find_profile(name)->usable(cpu), row.answer)
          << name << " nmi " << row.nmi << " in_section " << row.in_section << " hardirq " << row.hardirq
          << " softirq_count " << row.softirq_count;
    }
  }
}

}  // namespace
}  // namespace gate96::fpu
