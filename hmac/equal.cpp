// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/equal.h"

namespace gate96::hmac {

bool equal_tags(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  if (a.size() != b.size() || a.empty()) return false;
  std::uint32_t differing = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differing |= a[i] ^ b[i];
    asm volatile("" : "+r"(differing));  // keeps the compiler from leaving early
  }
  return differing == 0;
}

}  // namespace gate96::hmac
