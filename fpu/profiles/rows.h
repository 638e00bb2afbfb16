// SPDX-License-Identifier: BSD-3-Clause
// The rows of the profile table, one a file.
#pragma once

#include "fpu/profile.h"

namespace gate96::fpu::rows {

extern const Profile always;
extern const Profile never;
extern const Profile linux_2_6_39;
extern const Profile linux_3_3;
extern const Profile linux_3_10_eager;
extern const Profile linux_4_8;
extern const Profile linux_4_14;
extern const Profile linux_5_2;
extern const Profile linux_5_18;
extern const Profile linux_6_15;
extern const Profile sparc64_vis;

}  // namespace gate96::fpu::rows
