// SPDX-License-Identifier: BSD-3-Clause
// Linux 6.15: a section turns bottom halves off, so no softirq lands inside one; it waits for the end instead
// and is then granted. Only a section with interrupts off needs no such lock.
#include "fpu/profiles/rows.h"
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rows {
namespace {

Effect begin(Cpu& cpu, Halves halves) {
  if (!cpu.irqs_off) ++cpu.softirq_count;
  cpu.section_irqs_off = cpu.irqs_off;
  return rules::deferring_begin(cpu, halves);
}

Effect end(Cpu& cpu, Halves halves) {
  Effect effect = rules::deferring_end(cpu, halves);
  if (cpu.section_irqs_off != cpu.irqs_off) effect.violation = Violation::kIrqsChanged;
  if (!cpu.irqs_off && cpu.softirq_count > 0) --cpu.softirq_count;
  return effect;
}

}  // namespace

const Profile linux_6_15{
    .name = "linux-6.15",
    .save_by = SaveBy::kXsavec,
    .usable = rules::not_in_section_nor_nested_irq,
    .begin = begin,
    .end = end,
    .start_task = rules::plain_start,
    .switch_out = rules::deferring_switch_out,
    .switch_in = rules::deferring_switch_in,
    .return_to_user = rules::deferring_return_to_user,
    .user_fp = rules::user_fp,
    .trap = rules::no_trap,
    .return_to_kernel = rules::nothing,
};

}  // namespace gate96::fpu::rows
