// SPDX-License-Identifier: BSD-3-Clause
// Linux 5.18: nothing nests any more, in task context neither. A section keeps preemption off but not
// softirqs, so one that lands inside a task's section is refused.
#include "fpu/profiles/rows.h"
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rows {

const Profile linux_5_18{
    .name = "linux-5.18",
    .save_by = SaveBy::kXsavec,
    .usable = rules::not_in_section_nor_nested_irq,
    .begin = rules::deferring_begin,
    .end = rules::deferring_end,
    .start_task = rules::plain_start,
    .switch_out = rules::deferring_switch_out,
    .switch_in = rules::deferring_switch_in,
    .return_to_user = rules::deferring_return_to_user,
    .user_fp = rules::user_fp,
    .trap = rules::no_trap,
    .return_to_kernel = rules::nothing,
};

}  // namespace gate96::fpu::rows
