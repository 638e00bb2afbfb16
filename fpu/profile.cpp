// SPDX-License-Identifier: BSD-3-Clause
#include "fpu/profile.h"

#include <array>

#include "fpu/profiles/rows.h"

namespace gate96::fpu {
namespace {

constexpr std::array<const Profile*, 11> kProfiles{
    &rows::always,           &rows::never,      &rows::linux_2_6_39, &rows::linux_3_3,
    &rows::linux_3_10_eager, &rows::linux_4_8,  &rows::linux_4_14,   &rows::linux_5_2,
    &rows::linux_5_18,       &rows::linux_6_15, &rows::sparc64_vis};

}  // namespace

std::span<const Profile* const> profiles() {
  return kProfiles;
}

const Profile* find_profile(std::string_view name) {
  for (const Profile* profile : kProfiles) {
    if (profile->name == name) return profile;
  }
  return nullptr;
}

}  // namespace gate96::fpu
