// SPDX-License-Identifier: BSD-3-Clause
// sparc64: nobody asks. A section saves whichever halves are dirty into the slot of its nesting level and
// dirties its own; the trap handler puts an interrupted section's halves back. A half that is clean costs
// nothing.
#include "fpu/profiles/rows.h"
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rows {
namespace {

Refusal usable(const Cpu&) {
  return Refusal::kGranted;
}

/// Deeper than the slots reach (a violation, counted at the trap) the last one is used again.
VisState::Slot& slot_of(Cpu& cpu) {
  const unsigned level = cpu.vis.depth >> 1;
  return cpu.vis.slots[level < VisState::kNumSlots ? level : VisState::kNumSlots - 1];
}

Effect save_dirty(Cpu& cpu, Halves halves) {
  const bool lower = cpu.dirty_lower;
  const bool upper = cpu.dirty_upper && halves == Halves::kBoth;
  if (lower) slot_of(cpu).lower = true;
  if (upper) slot_of(cpu).upper = true;
  return {.save = static_cast<std::uint8_t>((lower ? kMoveLower : 0) | (upper ? kMoveUpper : 0))};
}

/// The saved halves of the slot become live and dirty again.
Effect reload(Cpu& cpu) {
  VisState::Slot& slot = slot_of(cpu);
  const auto moved = static_cast<std::uint8_t>((slot.lower ? kMoveLower : 0) | (slot.upper ? kMoveUpper : 0));
  cpu.dirty_lower |= slot.lower;
  cpu.dirty_upper |= slot.upper;
  slot = {};
  return {.restore = moved};
}

Effect begin(Cpu& cpu, Halves halves) {
  const Effect effect = save_dirty(cpu, halves);
  cpu.dirty_lower = true;
  if (halves == Halves::kBoth) cpu.dirty_upper = true;
  return effect;
}

Effect end(Cpu& cpu, Halves halves) {
  cpu.dirty_lower = false;
  if (halves == Halves::kBoth) cpu.dirty_upper = false;
  return {};
}

Effect trap(Cpu& cpu, Interrupted from) {
  if (from == Interrupted::kUser) {
    cpu.vis.depth = 1;
    return {};
  }
  cpu.vis.depth += 2;
  if (cpu.vis.depth >> 1 >= VisState::kNumSlots) return {.violation = Violation::kTooDeep};
  slot_of(cpu) = {};
  return {};
}

/// What a section left dirty in the interrupt is not ours to keep: only the slot's halves come back.
Effect return_to_kernel(Cpu& cpu) {
  const Effect effect = reload(cpu);
  cpu.vis.depth -= 2;
  return effect;
}

/// Registers that a section has cleaned stay disabled; the next user FP instruction traps.
Effect return_to_user(Cpu& cpu) {
  cpu.vis.depth = 0;
  return {};
}

Effect user_fp(Cpu& cpu) {
  cpu.task->used_fpu = true;
  const Effect effect = reload(cpu);
  cpu.dirty_lower = true;
  cpu.dirty_upper = true;
  return effect;
}

Effect switch_out(Cpu& cpu) {
  const Effect effect = save_dirty(cpu, Halves::kBoth);
  cpu.dirty_lower = false;
  cpu.dirty_upper = false;
  cpu.task->vis = cpu.vis;
  return effect;
}

Effect switch_in(Cpu& cpu) {
  cpu.vis = cpu.task->vis;
  return {};
}

}  // namespace

const Profile sparc64_vis{
    .name = "sparc64-vis",
    .save_by = SaveBy::kXsave,
    .usable = usable,
    .begin = begin,
    .end = end,
    .start_task = rules::plain_start,
    .switch_out = switch_out,
    .switch_in = switch_in,
    .return_to_user = return_to_user,
    .user_fp = user_fp,
    .trap = trap,
    .return_to_kernel = return_to_kernel,
};

}  // namespace gate96::fpu::rows
