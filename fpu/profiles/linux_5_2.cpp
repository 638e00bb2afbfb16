// SPDX-License-Identifier: BSD-3-Clause
// Linux 5.2: the restore waits for the return to user mode, so many sections in one system call cost one SAVE
// and one RESTORE.
#include "fpu/profiles/rows.h"
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rows {

const Profile linux_5_2{
    .name = "linux-5.2",
    .save_by = SaveBy::kXsavec,
    .usable = rules::not_over_a_section,
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
