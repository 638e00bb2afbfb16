// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rules {
namespace {

/// From so many slices on a lazy kernel RESTOREs at the switch rather than wait for the trap.
constexpr unsigned kPreloadAfterSlices = 5;

Effect save_if_owned(Cpu& cpu) {
  if (!cpu.task->owns) return {};
  cpu.task->owns = false;
  return save();
}

Violation nested(const Cpu& cpu) {
  return cpu.in_section ? Violation::kNested : Violation::kNone;
}

}  // namespace

Effect lazy_switch_out(Cpu& cpu) {
  Task& task = *cpu.task;
  task.fp_slices = task.fp_this_slice ? task.fp_slices + 1 : 0;
  task.fp_this_slice = false;
  const Effect effect = save_if_owned(cpu);
  cpu.ts = true;
  return effect;
}

Effect lazy_switch_in(Cpu& cpu) {
  return cpu.task->fp_slices > kPreloadAfterSlices ? restore(cpu) : Effect{};
}

Effect eager_switch_out(Cpu& cpu) {
  return save_if_owned(cpu);
}

Effect eager_switch_in(Cpu& cpu) {
  return cpu.task->kthread ? Effect{} : restore(cpu);
}

Effect lazy_end(Cpu& cpu, Halves) {
  cpu.ts = true;
  --cpu.preempt_count;
  // The outer section goes on with TS set: its next vector instruction traps inside the kernel.
  return {.violation = cpu.open_sections > 1 ? Violation::kInnerEnd : Violation::kNone};
}

Effect restoring_begin(Cpu& cpu, Halves) {
  Effect effect{.violation = nested(cpu)};
  ++cpu.preempt_count;
  cpu.in_section = true;
  if (cpu.task->owns) {
    effect.save = kMoveTask;
  } else {
    forget(cpu);
  }
  return effect;
}

Effect restoring_end(Cpu& cpu, Halves) {
  cpu.in_section = false;
  --cpu.preempt_count;
  return cpu.task->owns ? restore(cpu) : Effect{};
}

Effect deferring_begin(Cpu& cpu, Halves) {
  Effect effect{.violation = nested(cpu)};
  ++cpu.preempt_count;
  cpu.in_section = true;
  if (!cpu.task->kthread && !cpu.task->need_load) {
    effect.save = kMoveTask;
    cpu.task->need_load = true;
  }
  forget(cpu);
  return effect;
}

Effect deferring_end(Cpu& cpu, Halves) {
  cpu.in_section = false;
  --cpu.preempt_count;
  return {};
}

Effect deferring_switch_out(Cpu& cpu) {
  if (cpu.task->kthread || cpu.task->need_load) return {};
  cpu.task->last_cpu = cpu.id;
  return save();
}

Effect deferring_switch_in(Cpu& cpu) {
  cpu.task->need_load = !cpu.task->kthread;
  return {};
}

Effect deferring_return_to_user(Cpu& cpu) {
  if (!cpu.task->need_load) return {};
  if (cpu.cpu_owner != cpu.task || cpu.task->last_cpu != cpu.id) return restore(cpu);
  cpu.task->need_load = false;  // nobody has used the registers since: they still hold its state
  return {};
}

Refusal not_over_a_section(const Cpu& cpu) {
  const bool yes = !cpu.in_interrupt() || cpu.interrupted == Interrupted::kUser || !cpu.in_section;
  return yes ? Refusal::kGranted : Refusal::kInSection;
}

Refusal not_in_section_nor_nested_irq(const Cpu& cpu) {
  if (cpu.level == Level::kNmi) return Refusal::kNmi;
  if (cpu.in_section) return Refusal::kInSection;
  return cpu.level == Level::kHardirq && cpu.softirq_count > 0 ? Refusal::kHardirq : Refusal::kGranted;
}

}  // namespace gate96::fpu::rules
