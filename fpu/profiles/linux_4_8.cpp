// SPDX-License-Identifier: BSD-3-Clause
// Linux 4.8: a flag of its own says that a section is open (in_section). Eager by default; eager = 0 is the
// last of the lazy kernels. Ownership survives a section, and an owner is restored at once: a pair costs SAVE
// and RESTORE.
#include "fpu/profiles/rows.h"
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rows {
namespace {

Refusal usable(const Cpu& cpu) {
  if (!cpu.in_interrupt() || cpu.interrupted == Interrupted::kUser) return Refusal::kGranted;
  if (cpu.in_section) return Refusal::kInSection;
  return cpu.eager || (!cpu.task->owns && cpu.ts) ? Refusal::kGranted : Refusal::kLiveState;
}

Effect begin(Cpu& cpu, Halves halves) {
  const Effect effect = rules::restoring_begin(cpu, halves);
  if (!cpu.eager && !cpu.task->owns) cpu.ts = false;
  return effect;
}

Effect end(Cpu& cpu, Halves halves) {
  const Effect effect = rules::restoring_end(cpu, halves);
  if (!cpu.eager && !cpu.task->owns) cpu.ts = true;
  return effect;
}

void start_task(const Cpu& cpu, Task& task) {
  if (cpu.eager) rules::eager_start(cpu, task);
}

Effect switch_out(Cpu& cpu) {
  return cpu.eager ? rules::eager_switch_out(cpu) : rules::lazy_switch_out(cpu);
}

Effect switch_in(Cpu& cpu) {
  return cpu.eager ? rules::eager_switch_in(cpu) : rules::lazy_switch_in(cpu);
}

}  // namespace

const Profile linux_4_8{
    .name = "linux-4.8",
    .save_by = SaveBy::kXsavec,
    .usable = usable,
    .begin = begin,
    .end = end,
    .start_task = start_task,
    .switch_out = switch_out,
    .switch_in = switch_in,
    .return_to_user = rules::nothing,
    .user_fp = rules::user_fp,
    .trap = rules::no_trap,
    .return_to_kernel = rules::nothing,
};

}  // namespace gate96::fpu::rows
