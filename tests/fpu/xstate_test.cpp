// SPDX-License-Identifier: BSD-3-Clause
// SAVE and RESTORE on the real registers: what a task held before a section it holds again after it.
#include "fpu/xstate.h"

#include <cpuid.h>

#include <cstring>
#include <vector>

#include "tests/fpu/recorder.h"

extern "C" {
void gate96_test_write_registers(const std::uint8_t* from, unsigned width);
void gate96_test_read_registers(std::uint8_t* to, unsigned width);
}

namespace gate96::fpu {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Width> widths_here() {
  std::vector<Width> widths;
  for (const Width width : {Width::kSse, Width::kAvx, Width::kAvx512}) {
    if (supported_mask(mask_of(width)) == mask_of(width)) widths.push_back(width);
  }
  return widths;
}

std::vector<SaveBy> saves_here() {
  std::vector<SaveBy> saves;
  for (const SaveBy by : {SaveBy::kXsave, SaveBy::kXsaveopt, SaveBy::kXsavec}) {
    if (supported_save(by) == by) saves.push_back(by);
  }
  return saves;
}

std::size_t file_len(Width width) {
  return width == Width::kSse ? 256 : width == Width::kAvx ? 512 : 2112;
}

Bytes pattern(Width width, unsigned salt) {
  Bytes bytes(file_len(width));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i * 31 + (i >> 8) * 7 + salt);
  return bytes;
}

enum class Op : std::uint8_t { kSave, kRestore, kSectionComputes };

// From the first call to the last the compiler must leave vector registers alone, sanitizers included.
#if defined(__clang__)
#define GATE96_KEEPS_REGISTERS __attribute__((noinline))
#else
#define GATE96_KEEPS_REGISTERS \
  __attribute__((noinline, target("general-regs-only"), no_sanitize("address", "undefined")))
#endif

struct Script {
  const Op* ops;
  std::size_t num_ops;
  const std::uint8_t* task;
  const std::uint8_t* section;
  std::uint8_t* after;
  unsigned width;
};

GATE96_KEEPS_REGISTERS void play(const Script& script, StateArea& area) {
  gate96_test_write_registers(script.task, script.width);
  for (std::size_t i = 0; i < script.num_ops; ++i) {
    if (script.ops[i] == Op::kSave) area.save();
    if (script.ops[i] == Op::kRestore) area.restore();
    if (script.ops[i] == Op::kSectionComputes) gate96_test_write_registers(script.section, script.width);
  }
  gate96_test_read_registers(script.after, script.width);
}

/// What the registers hold at the end, if a task's pattern(width, 1) was in them at first and each section
/// computes pattern(width, 100).
Bytes run(Width width, SaveBy by, const std::vector<Op>& ops) {
  const Bytes task = pattern(width, 1), section = pattern(width, 100);
  Bytes after(file_len(width));
  StateArea area(mask_of(width), by);
  play({ops.data(), ops.size(), task.data(), section.data(), after.data(), static_cast<unsigned>(width)},
       area);
  clean_upper();
  return after;
}

TEST(Xstate, HereIsAtLeastSseAndXsave) {
  EXPECT_FALSE(widths_here().empty());
  EXPECT_EQ(saves_here().front(), SaveBy::kXsave);
}

TEST(Xstate, SaveAndRestoreBringEveryRegisterBack) {
  using enum Op;
  for (const Width width : widths_here()) {
    for (const SaveBy by : saves_here()) {
      const Bytes task = pattern(width, 1);
      EXPECT_EQ(run(width, by, {kSave, kSectionComputes, kRestore}), task) << static_cast<int>(width);
      EXPECT_EQ(run(width, by, {kSave, kSectionComputes}), pattern(width, 100))
          << "without a RESTORE it is lost";
      EXPECT_EQ(run(width, by, {kSave, kSectionComputes, kRestore, kSave, kSectionComputes, kRestore}), task)
          << static_cast<int>(width);
    }
  }
}

/// Collects what is to be done to the registers, in order.
struct Collector final : EffectSink {
  std::vector<Op> ops;

  void save(const Task&, std::uint8_t) override { ops.push_back(Op::kSave); }
  void restore(const Task&, std::uint8_t) override { ops.push_back(Op::kRestore); }
  void violation(Violation) override { ADD_FAILURE() << "a violation"; }
};

/// A user task's registers over softirqs, a context switch to a kthread with a section, and the way back, as
/// `profile` moves them.
std::vector<Op> history(const Profile& profile) {
  Collector collector;
  Task idle, user;
  Machine machine(profile, idle, collector);
  machine.start_task(user);
  machine.switch_to(user);
  machine.return_to_user();
  machine.user_fp();
  collector.ops.clear();
  for (int i = 0; i < 2; ++i) {
    machine.interrupt_entry(Interrupted::kUser);
    machine.softirq_entry();
    machine.begin();
    collector.ops.push_back(Op::kSectionComputes);
    machine.end();
    machine.softirq_exit();
    machine.interrupt_exit();
  }
  machine.switch_to(idle);
  machine.begin();
  collector.ops.push_back(Op::kSectionComputes);
  machine.end();
  machine.switch_to(user);
  machine.return_to_user();
  machine.user_fp();
  return collector.ops;
}

TEST(Xstate, EveryLinuxKeepsTheTasksRegistersOverSections) {
  for (const Profile* profile : profiles()) {
    if (!profile->name.starts_with("linux")) continue;
    for (const Width width : widths_here()) {
      const SaveBy by = supported_save(profile->save_by);
      EXPECT_EQ(run(width, by, history(*profile)), pattern(width, 1)) << profile->name;
    }
  }
}

GATE96_KEEPS_REGISTERS void play_half(std::uint8_t* slot, bool upper, const std::uint8_t* task,
                                      const std::uint8_t* section, std::uint8_t* after) {
  gate96_test_write_registers(task, 0);
  save_half(slot, upper);
  gate96_test_write_registers(section, 0);
  restore_half(slot, upper);
  gate96_test_read_registers(after, 0);
}

TEST(Xstate, HalvesOfSparc64) {
  alignas(16) std::array<std::uint8_t, 128> slot{};
  const Bytes task = pattern(Width::kSse, 1), section = pattern(Width::kSse, 100);
  for (const bool upper : {false, true}) {
    Bytes after(256), expected = section;
    std::memcpy(expected.data() + (upper ? 128 : 0), task.data() + (upper ? 128 : 0), 128);
    play_half(slot.data(), upper, task.data(), section.data(), after.data());
    EXPECT_EQ(after, expected) << upper;
  }
}

/// The longest that a SAVE of these components can write, from CPUID.0Dh of this CPU.
TEST(Xstate, AreasAreAsLongAsCpuidSays) {
  EXPECT_EQ(area_len(kMaskSse, SaveBy::kXsave), 576u);
  EXPECT_EQ(area_len(kMaskSse, SaveBy::kXsavec), 576u);
  for (const Width width : widths_here()) {
    EXPECT_EQ(area_len(mask_of(width), SaveBy::kXsavec), state_len(width));
    unsigned a = 0, b = 0, c = 0, d = 0;
    __cpuid_count(0xd, 0, a, b, c, d);
    EXPECT_LE(area_len(mask_of(width), SaveBy::kXsave), c) << "CPUID.(0Dh,0).ECX: the largest of all";
    StateArea area(mask_of(width), supported_save(SaveBy::kXsavec));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(area.data()) % 64, 0u);
  }
}

TEST(Xstate, NeverPkruNorAmx) {
  constexpr std::uint64_t kPkru = 1u << 9, kTileConfig = 1u << 17, kTileData = 1u << 18;
  for (const Width width : {Width::kSse, Width::kAvx, Width::kAvx512}) {
    EXPECT_EQ(mask_of(width) & (kPkru | kTileConfig | kTileData), 0u);
  }
}

TEST(Xstate, TouchedStateIsWrittenInFull) {
  for (const Width width : widths_here()) {
    StateArea area(mask_of(width), supported_save(SaveBy::kXsavec));
    touch_state(width);
    area.save();
    clean_upper();
    std::uint64_t present = 0;
    std::memcpy(&present, area.data() + 512, sizeof present);  // XSTATE_BV
    const std::uint64_t wanted = width == Width::kAvx512 ? 0xe6 : width == Width::kAvx ? 0x6 : 0x2;
    EXPECT_EQ(present & wanted, wanted) << static_cast<int>(width);
  }
}

GATE96_KEEPS_REGISTERS void play_clean(const std::uint8_t* task, std::uint8_t* after) {
  gate96_test_write_registers(task, 1);
  clean_upper();
  gate96_test_read_registers(after, 1);
}

TEST(Xstate, CleanedUpperHalvesAreZero) {
  for (const Width width : widths_here()) {
    if (width == Width::kSse) continue;  // has none
    const Bytes task = pattern(Width::kAvx, 1);
    Bytes after(file_len(Width::kAvx));
    play_clean(task.data(), after.data());
    for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i], i % 32 < 16 ? task[i] : 0) << i;
  }
}

TEST(Xstate, RoundingModeSurvives) {
  const unsigned before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | 0x6000);  // towards zero
  StateArea area(kMaskSse, SaveBy::kXsave);
  area.save();
  __builtin_ia32_ldmxcsr(before);
  area.restore();
  const unsigned after = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before);
  EXPECT_EQ(after & 0x6000, 0x6000u);
}

}  // namespace
}  // namespace gate96::fpu
