// SPDX-License-Identifier: BSD-3-Clause
// sparc64: nesting without asking, its seven slots, and the halves of the register file.
#include "tests/fpu/recorder.h"

namespace gate96::fpu {
namespace {

constexpr Interrupted kUser = Interrupted::kUser;
constexpr Interrupted kKernel = Interrupted::kKernel;
constexpr std::uint8_t kBothHalves = kMoveLower | kMoveUpper;

struct Sparc : Bench {
  Sparc() : Bench("sparc64-vis") {}
  const Cpu& cpu() const { return machine.cpu(); }
};

TEST(Sparc64, CleanRegistersCostNothing) {
  Sparc sparc;
  sparc.machine.begin();
  EXPECT_TRUE(sparc.cpu().dirty_lower && sparc.cpu().dirty_upper);
  sparc.machine.end();
  EXPECT_FALSE(sparc.cpu().dirty_lower || sparc.cpu().dirty_upper);
  EXPECT_EQ(sparc.moves(), (Moves{0, 0}));
}

TEST(Sparc64, UserStateIsSavedOnceAndTrapsBack) {
  Sparc sparc;
  sparc.user_owns();
  sparc.machine.system_call();
  EXPECT_EQ(sparc.cpu().vis.depth, 1u);
  for (int i = 0; i < 3; ++i) sparc.section();
  EXPECT_EQ(sparc.moves(), (Moves{1, 0}));
  EXPECT_EQ(sparc.recorder.last_save, kBothHalves);
  EXPECT_TRUE(sparc.cpu().vis.slots[0].lower && sparc.cpu().vis.slots[0].upper);

  sparc.machine.return_to_user();
  EXPECT_EQ(sparc.cpu().vis.depth, 0u);
  EXPECT_EQ(sparc.moves(), (Moves{1, 0})) << "registers left disabled";
  sparc.machine.user_fp();
  EXPECT_EQ(sparc.moves(), (Moves{1, 1}));
  EXPECT_EQ(sparc.recorder.last_restore, kBothHalves);
  sparc.machine.user_fp();
  EXPECT_EQ(sparc.moves(), (Moves{1, 1}));
}

TEST(Sparc64, UserStateUntouchedByTheKernelNeedsNoMove) {
  Sparc sparc;
  sparc.user_owns();
  sparc.machine.system_call();
  sparc.machine.return_to_user();
  sparc.machine.user_fp();
  EXPECT_EQ(sparc.moves(), (Moves{0, 0}));
}

TEST(Sparc64, InterruptInsideASectionSavesAndReloadsIt) {
  Sparc sparc;
  sparc.machine.begin();
  sparc.machine.interrupt_entry(kKernel);
  EXPECT_EQ(sparc.cpu().vis.depth, 2u);
  EXPECT_TRUE(sparc.usable());
  sparc.section();
  EXPECT_EQ(sparc.moves(), (Moves{1, 0}));
  EXPECT_TRUE(sparc.cpu().vis.slots[1].lower);
  sparc.machine.interrupt_exit();
  EXPECT_EQ(sparc.moves(), (Moves{1, 1}));
  EXPECT_TRUE(sparc.cpu().dirty_lower && sparc.cpu().dirty_upper) << "the outer section goes on";
  EXPECT_EQ(sparc.cpu().vis.depth, 0u);
  sparc.machine.end();

  sparc.machine.begin();
  sparc.machine.interrupt_entry(kKernel);
  sparc.machine.interrupt_exit();
  EXPECT_EQ(sparc.moves(), (Moves{1, 1})) << "no section in the interrupt, nothing to move";
  sparc.machine.end();
  EXPECT_EQ(sparc.recorder.num_violations(), 0);
}

TEST(Sparc64, SevenLevelsFitAndAnEighthIsCounted) {
  Sparc sparc;
  sparc.user_owns();
  sparc.machine.system_call();
  sparc.machine.begin();
  for (int level = 1; level <= 6; ++level) {
    sparc.machine.interrupt_entry(kKernel);
    EXPECT_EQ(sparc.cpu().vis.depth >> 1, static_cast<unsigned>(level));
    sparc.machine.begin();
  }
  EXPECT_EQ(sparc.moves(), (Moves{7, 0})) << "the user's state and six sections";
  for (const VisState::Slot& slot : sparc.cpu().vis.slots) EXPECT_TRUE(slot.lower && slot.upper);
  EXPECT_EQ(sparc.recorder.num_violations(), 0);

  sparc.machine.interrupt_entry(kKernel);
  EXPECT_EQ(sparc.recorder.count(Violation::kTooDeep), 1);
  sparc.machine.interrupt_exit();

  for (int level = 6; level >= 1; --level) {
    sparc.machine.end();
    sparc.machine.interrupt_exit();
  }
  sparc.machine.end();
  EXPECT_EQ(sparc.cpu().vis.depth, 1u);
  sparc.machine.return_to_user();
  sparc.machine.user_fp();
  EXPECT_EQ(sparc.recorder.count(Violation::kTooDeep), 1);
}

TEST(Sparc64, HalfSectionsMoveTheLowerHalfOnly) {
  Sparc sparc;
  sparc.user_owns();
  sparc.machine.system_call();
  sparc.machine.begin(Halves::kLower);
  EXPECT_EQ(sparc.recorder.last_save, kMoveLower);
  sparc.machine.end(Halves::kLower);
  EXPECT_FALSE(sparc.cpu().dirty_lower);
  EXPECT_TRUE(sparc.cpu().dirty_upper) << "still the user's";

  sparc.machine.begin(Halves::kBoth);
  EXPECT_EQ(sparc.recorder.last_save, kMoveUpper) << "the lower one was saved before";
  sparc.machine.end(Halves::kBoth);
  sparc.machine.return_to_user();
  sparc.machine.user_fp();
  EXPECT_EQ(sparc.recorder.last_restore, kBothHalves);
  EXPECT_EQ(sparc.moves(), (Moves{2, 1}));
}

TEST(Sparc64, HalfSectionAloneComesBackHalf) {
  Sparc sparc;
  sparc.user_owns();
  sparc.machine.interrupt_entry(kUser);
  sparc.machine.begin(Halves::kLower);
  sparc.machine.end(Halves::kLower);
  sparc.machine.interrupt_exit();
  sparc.machine.return_to_user();
  sparc.machine.user_fp();
  EXPECT_EQ(sparc.recorder.last_restore, kMoveLower);
}

TEST(Sparc64, SlotsBelongToTheThread) {
  Sparc sparc;
  sparc.user_owns();
  sparc.machine.system_call();
  sparc.section();
  sparc.machine.switch_to(sparc.idle);
  EXPECT_EQ(sparc.cpu().vis.depth, 0u);
  EXPECT_FALSE(sparc.cpu().vis.slots[0].lower);
  sparc.machine.interrupt_entry(kKernel);
  sparc.section();
  sparc.machine.interrupt_exit();
  sparc.machine.switch_to(sparc.user);
  EXPECT_EQ(sparc.cpu().vis.depth, 1u);
  sparc.machine.return_to_user();
  sparc.machine.user_fp();
  EXPECT_EQ(sparc.moves(), (Moves{1, 1}));
}

}  // namespace
}  // namespace gate96::fpu
