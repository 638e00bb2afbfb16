// SPDX-License-Identifier: BSD-3-Clause
// The time-stamp counter, and what a tick of it is worth.
#pragma once

#include <x86intrin.h>

#include <cstdint>

namespace gate96::fpu {

inline std::uint64_t ticks() {
  return __rdtsc();
}

/// Measured against the system's clock for two milliseconds, once in a process.
double ns_per_tick();

inline std::uint64_t ns_of(std::uint64_t num_ticks) {
  return static_cast<std::uint64_t>(static_cast<double>(num_ticks) * ns_per_tick());
}

}  // namespace gate96::fpu
