// SPDX-License-Identifier: BSD-3-Clause
// Big-endian stores, as SHA-1 counts and digests need them.
#pragma once

#include <cstdint>
#include <cstring>

namespace gate96::hmac {

inline void store_be32(std::uint8_t* out, std::uint32_t value) {
  value = __builtin_bswap32(value);
  std::memcpy(out, &value, sizeof value);
}

inline void store_be64(std::uint8_t* out, std::uint64_t value) {
  value = __builtin_bswap64(value);
  std::memcpy(out, &value, sizeof value);
}

}  // namespace gate96::hmac
