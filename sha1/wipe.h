// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>

namespace gate96 {

/// Zeroes memory that held key material; the compiler may not leave the stores out, even just before the end
/// of the object's life.
inline void wipe(void* memory, std::size_t len) {
  if (len == 0) return;
  std::memset(memory, 0, len);
  asm volatile("" : : "r"(memory) : "memory");
}

}  // namespace gate96
