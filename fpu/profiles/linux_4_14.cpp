// SPDX-License-Identifier: BSD-3-Clause
// Linux 4.14: lazy switching is gone. Only an open section under an interrupt of kernel code forbids SIMD.
#include "fpu/profiles/rows.h"
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rows {

const Profile linux_4_14{
    .name = "linux-4.14",
    .save_by = SaveBy::kXsavec,
    .usable = rules::not_over_a_section,
    .begin = rules::restoring_begin,
    .end = rules::restoring_end,
    .start_task = rules::eager_start,
    .switch_out = rules::eager_switch_out,
    .switch_in = rules::eager_switch_in,
    .return_to_user = rules::nothing,
    .user_fp = rules::user_fp,
    .trap = rules::no_trap,
    .return_to_kernel = rules::nothing,
};

}  // namespace gate96::fpu::rows
