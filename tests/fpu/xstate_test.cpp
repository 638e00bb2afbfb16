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

/// What the registers hold after each of `effects` was executed, with a section's scribble wherever
/// scribble[i] says. Nothing but calls of assembly stands between the two ends, so the compiler has no use
/// for vector registers there.
Bytes run(Width width, SaveBy by, const std::vector<Effect>& effects, const std::vector<bool>& scribble) {
  const Bytes task = pattern(width, 1), section = pattern(width, 100);
  Bytes after(file_len(width));
  StateArea area(mask_of(width), by);
  const auto w = static_cast<unsigned>(width);
  gate96_test_write_registers(task.data(), w);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (effects[i].save != kMoveNothing) area.save();
    if (effects[i].restore != kMoveNothing) area.restore();
    if (scribble[i]) gate96_test_write_registers(section.data(), w);
  }
  gate96_test_read_registers(after.data(), w);
  clean_upper();
  return after;
}

TEST(Xstate, HereIsAtLeastSseAndXsave) {
  EXPECT_FALSE(widths_here().empty());
  EXPECT_EQ(saves_here().front(), SaveBy::kXsave);
}

TEST(Xstate, SaveAndRestoreBringEveryRegisterBack) {
  for (const Width width : widths_here()) {
    for (const SaveBy by : saves_here()) {
      const std::vector<Effect> effects{{.save = kMoveTask}, {.restore = kMoveTask}};
      EXPECT_EQ(run(width, by, effects, {true, false}), pattern(width, 1)) << static_cast<int>(width);
      EXPECT_EQ(run(width, by, effects, {true, true}), pattern(width, 100)) << "the test itself can fail";
      const std::vector<Effect> twice{
          {.save = kMoveTask}, {.restore = kMoveTask}, {.save = kMoveTask}, {.restore = kMoveTask}};
      EXPECT_EQ(run(width, by, twice, {true, false, true, false}), pattern(width, 1))
          << static_cast<int>(width);
    }
  }
}

/// Collects effects in their order.
struct Collector final : EffectSink {
  std::vector<Effect> effects;
  std::vector<bool> scribble;

  void add(const Effect& effect) {
    effects.push_back(effect);
    scribble.push_back(false);
  }
  void save(const Task&, std::uint8_t moves) override { add({.save = moves}); }
  void restore(const Task&, std::uint8_t moves) override { add({.restore = moves}); }
  void violation(Violation) override { ADD_FAILURE() << "a violation"; }
  void section_computes() {
    add({});
    scribble.back() = true;
  }
};

/// A user task's registers over softirqs, a context switch to a kthread with a section, and the way back, as
/// `profile` moves them.
Collector script(const Profile& profile) {
  Collector collector;
  Task idle, user;
  Machine machine(profile, idle, collector);
  machine.start_task(user);
  machine.switch_to(user);
  machine.return_to_user();
  machine.user_fp();
  collector.effects.clear();
  collector.scribble.clear();
  for (int i = 0; i < 2; ++i) {
    machine.interrupt_entry(Interrupted::kUser);
    machine.softirq_entry();
    machine.begin();
    collector.section_computes();
    machine.end();
    machine.softirq_exit();
    machine.interrupt_exit();
  }
  machine.switch_to(idle);
  machine.begin();
  collector.section_computes();
  machine.end();
  machine.switch_to(user);
  machine.return_to_user();
  machine.user_fp();
  return collector;
}

TEST(Xstate, EveryLinuxKeepsTheTasksRegistersOverSections) {
  for (const Profile* profile : profiles()) {
    if (!profile->name.starts_with("linux")) continue;
    const Collector history = script(*profile);
    for (const Width width : widths_here()) {
      const SaveBy by = supported_save(profile->save_by);
      EXPECT_EQ(run(width, by, history.effects, history.scribble), pattern(width, 1)) << profile->name;
    }
  }
}

TEST(Xstate, HalvesOfSparc64) {
  alignas(16) std::array<std::uint8_t, 256> slots{};
  const Bytes task = pattern(Width::kSse, 1), section = pattern(Width::kSse, 100);
  for (const bool upper : {false, true}) {
    Bytes after(256), expected = section;
    std::memcpy(expected.data() + (upper ? 128 : 0), task.data() + (upper ? 128 : 0), 128);
    gate96_test_write_registers(task.data(), 0);
    save_half(slots.data(), upper);
    gate96_test_write_registers(section.data(), 0);
    restore_half(slots.data(), upper);
    gate96_test_read_registers(after.data(), 0);
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
