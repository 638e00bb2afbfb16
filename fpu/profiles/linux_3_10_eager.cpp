// SPDX-License-Identifier: BSD-3-Clause
// Linux 3.10 with eagerfpu: every user task owns the registers while it runs, so "owns" doubles as the busy
// flag. Tasks that own nothing, the idle task and all kernel threads, therefore look busy, and every softirq
// over them is refused.
#include "fpu/profiles/rows.h"
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rows {
namespace {

Refusal usable(const Cpu& cpu) {
  const bool yes = !cpu.in_interrupt() || cpu.interrupted == Interrupted::kUser || cpu.task->owns;
  return yes ? Refusal::kGranted : Refusal::kNotOwned;
}

Effect begin(Cpu& cpu, Halves) {
  ++cpu.preempt_count;
  if (cpu.task->owns) {
    cpu.task->owns = false;
    return rules::save();
  }
  rules::forget(cpu);
  return {};
}

Effect end(Cpu& cpu, Halves) {
  --cpu.preempt_count;
  if (!cpu.task->used_fpu) return {};
  Effect effect = rules::restore(cpu);
  if (cpu.open_sections > 1) effect.violation = Violation::kInnerEnd;
  return effect;
}

}  // namespace

const Profile linux_3_10_eager{
    .name = "linux-3.10-eager",
    .save_by = SaveBy::kXsaveopt,
    .usable = usable,
    .begin = begin,
    .end = end,
    .start_task = rules::eager_start,
    .switch_out = rules::eager_switch_out,
    .switch_in = rules::eager_switch_in,
    .return_to_user = rules::nothing,
    .user_fp = rules::user_fp,
    .trap = rules::no_trap,
    .return_to_kernel = rules::nothing,
};

}  // namespace gate96::fpu::rows
