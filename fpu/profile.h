// SPDX-License-Identifier: BSD-3-Clause
// A kernel's FPU policy as one row of pure rules. Each rule changes only the Cpu (and its current task) and
// returns what has to be moved; machine.h moves and counts it. A new kernel is one file in profiles/ and one
// line in profile.cpp; tests, `show fpu` and gate96-bench walk the table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "fpu/cpu.h"
#include "fpu/verdicts.h"

namespace gate96::fpu {

/// What a SAVE or RESTORE moves, as bits: the task's components, or (sparc64) one half of the register file.
enum Move : std::uint8_t { kMoveNothing = 0, kMoveTask = 1, kMoveLower = 2, kMoveUpper = 4 };

struct Effect {
  std::uint8_t save = kMoveNothing;  // SAVE comes before RESTORE
  std::uint8_t restore = kMoveNothing;
  Violation violation = Violation::kNone;
};

/// The halves that a section uses (sparc64); the other profiles do not look at it.
enum class Halves : std::uint8_t { kLower, kBoth };

/// Which instruction SAVEs for this kernel, where the CPU has it; plain XSAVE otherwise.
enum class SaveBy : std::uint8_t { kXsave, kXsaveopt, kXsavec };

struct Profile {
  std::string_view name;
  SaveBy save_by;
  Refusal (*usable)(const Cpu&);
  Effect (*begin)(Cpu&, Halves);
  Effect (*end)(Cpu&, Halves);
  void (*start_task)(const Cpu&, Task&);  // a user task is made
  Effect (*switch_out)(Cpu&);             // cpu.task is the one that leaves
  Effect (*switch_in)(Cpu&);              // cpu.task is the one that comes
  Effect (*return_to_user)(Cpu&);
  Effect (*user_fp)(Cpu&);                 // the user task executes an FP instruction
  Effect (*trap)(Cpu&, Interrupted from);  // interrupt, exception or system call; never kNone
  Effect (*return_to_kernel)(Cpu&);        // from an interrupt of kernel code
};

/// All profiles, oldest first; `always` and `never` lead.
std::span<const Profile* const> profiles();

/// nullptr if there is none of that name.
const Profile* find_profile(std::string_view name);

}  // namespace gate96::fpu
