// SPDX-License-Identifier: BSD-3-Clause
// Steps that several kernels share. Each profile's own file says which of them make up its row.
#pragma once

#include "fpu/profile.h"

namespace gate96::fpu::rules {

inline Effect save() {
  return {.save = kMoveTask};
}

/// The task's state goes into the registers; it owns them on this CPU from now on.
inline Effect restore(Cpu& cpu) {
  cpu.task->owns = true;
  cpu.task->need_load = false;
  cpu.task->last_cpu = cpu.id;
  cpu.cpu_owner = cpu.task;
  cpu.ts = false;
  return {.restore = kMoveTask};
}

inline void forget(Cpu& cpu) {
  cpu.cpu_owner = nullptr;
}

// For rows that have nothing to do at an event.
inline Effect nothing(Cpu&) {
  return {};
}
inline Effect no_bracket(Cpu&, Halves) {
  return {};
}
inline Effect no_trap(Cpu&, Interrupted) {
  return {};
}
inline void plain_start(const Cpu&, Task&) {}

/// Eager kernels hold that every user task uses the FPU.
inline void eager_start(const Cpu&, Task& task) {
  task.used_fpu = !task.kthread;
}

/// x86: with TS set the instruction traps and the trap RESTOREs.
inline Effect user_fp(Cpu& cpu) {
  cpu.task->used_fpu = true;
  cpu.task->fp_this_slice = true;
  return cpu.ts ? restore(cpu) : Effect{};
}

// Context switch of the lazy kernels (2.6.39, 3.3, 4.8 with eager = 0).
Effect lazy_switch_out(Cpu&);
Effect lazy_switch_in(Cpu&);

// Context switch of the eager kernels (3.10-eager, 4.8, 4.14).
Effect eager_switch_out(Cpu&);
Effect eager_switch_in(Cpu&);

// Sections of the lazy kernels; they differ in what is done when the task owns nothing.
Effect lazy_end(Cpu&, Halves);

// Sections that restore at once (4.8 eager, 4.14).
Effect restoring_begin(Cpu&, Halves);
Effect restoring_end(Cpu&, Halves);

// Deferred restore (5.2 and later).
Effect deferring_begin(Cpu&, Halves);
Effect deferring_end(Cpu&, Halves);
Effect deferring_switch_out(Cpu&);
Effect deferring_switch_in(Cpu&);
Effect deferring_return_to_user(Cpu&);

/// 4.14 and 5.2: an interrupt of kernel code must not have hit a section.
Refusal not_over_a_section(const Cpu&);

/// 5.18 and later: never nested, never in an NMI, and in a hardirq only if no softirq is below it.
Refusal not_in_section_nor_nested_irq(const Cpu&);

}  // namespace gate96::fpu::rules
