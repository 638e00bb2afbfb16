// SPDX-License-Identifier: BSD-3-Clause
// No kernel at all: a DPDK core, where nothing forbids SIMD and a section costs nothing.
#include "fpu/profiles/rows.h"
#include "fpu/profiles/rules.h"

namespace gate96::fpu::rows {
namespace {

Refusal usable(const Cpu&) {
  return Refusal::kGranted;
}

}  // namespace

const Profile always{
    .name = "always",
    .save_by = SaveBy::kXsave,
    .usable = usable,
    .begin = rules::no_bracket,
    .end = rules::no_bracket,
    .start_task = rules::plain_start,
    .switch_out = rules::nothing,
    .switch_in = rules::nothing,
    .return_to_user = rules::nothing,
    .user_fp = rules::nothing,
    .trap = rules::no_trap,
    .return_to_kernel = rules::nothing,
};

}  // namespace gate96::fpu::rows
