// SPDX-License-Identifier: BSD-3-Clause
// Linux 3.3: lazy as before, with ownership kept apart from TS. An interrupt that saved no registers no
// longer counts as harmless.
#include "fpu/profiles/rows.h"
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rows {
namespace {

Refusal usable(const Cpu& cpu) {
  const bool yes =
      !cpu.in_interrupt() || cpu.interrupted == Interrupted::kUser || (!cpu.task->owns && cpu.ts);
  return yes ? Refusal::kGranted : Refusal::kLiveState;
}

Effect begin(Cpu& cpu, Halves) {
  ++cpu.preempt_count;
  if (cpu.task->owns) {
    cpu.task->owns = false;
    return rules::save();
  }
  rules::forget(cpu);
  cpu.ts = false;
  return {};
}

}  // namespace

const Profile linux_3_3{
    .name = "linux-3.3",
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
