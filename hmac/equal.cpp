// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/equal.h"

#include <cstring>

namespace gate96::hmac {
namespace {

std::uint32_t word(const std::uint8_t* bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

bool equal_tags(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  if (a.size() != b.size() || a.empty()) return false;
  std::uint32_t differing = 0;
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    differing |= word(&a[i]) ^ word(&b[i]);
    asm volatile("" : "+r"(differing));  // keeps the compiler from leaving early
  }
  for (; i < a.size(); ++i) {
    differing |= a[i] ^ b[i];
    asm volatile("" : "+r"(differing));
  }
  return differing == 0;
}

}  // namespace gate96::hmac
