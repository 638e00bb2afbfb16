// SPDX-License-Identifier: BSD-3-Clause
// Linux 2.6.39: lazy restore by CR0.TS. The rule that the SSSE3 SHA-1 discussion of 2011 turns on: over
// kernel code SIMD is usable only while TS is set, that is while the registers hold nobody's state.
#include "fpu/profiles/rows.h"
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rows {
namespace {

Refusal usable(const Cpu& cpu) {
  const bool yes = !cpu.in_interrupt() || cpu.interrupted != Interrupted::kKernel || cpu.ts;
  return yes ? Refusal::kGranted : Refusal::kLiveState;
}

/// A SAVE leaves TS clear; where nothing is owned, TS is cleared so that the section does not trap.
Effect begin(Cpu& cpu, Halves) {
  ++cpu.preempt_count;
  if (cpu.task->owns) {
    cpu.task->owns = false;
    return rules::save();
  }
  cpu.ts = false;
  return {};
}

}  // namespace

const Profile linux_2_6_39{
    .name = "linux-2.6.39",
    .save_by = SaveBy::kXsaveopt,
    .usable = usable,
    .begin = begin,
    .end = rules::lazy_end,
    .start_task = rules::plain_start,
    .switch_out = rules::lazy_switch_out,
    .switch_in = rules::lazy_switch_in,
    .return_to_user = rules::nothing,
    .user_fp = rules::user_fp,
    .trap = rules::no_trap,
    .return_to_kernel = rules::nothing,
};

}  // namespace gate96::fpu::rows
