// SPDX-License-Identifier: BSD-3-Clause
// ESP with NULL encryption and HMAC-SHA1-96 as bytes (RFC 4303 2, RFC 2410, RFC 2404): arithmetic and checks,
// no SAs.
//
//   SPI(4) sequence number(4) | payload | padding(0..255) pad length(1) next header(1) | ICV(12)
#pragma once

#include <cstdint>
#include <cstring>

#include "dataplane/wire_format.h"
#include "hmac/burst.h"

namespace gate96::esp {

inline constexpr std::uint32_t kHeaderLen = sizeof(EspHeader);
inline constexpr std::uint32_t kTrailerLen = 2;  // pad length, next header
inline constexpr std::uint32_t kIcvLen = hmac::kIcvLen;
inline constexpr std::uint32_t kMinLen = kHeaderLen + kTrailerLen + kIcvLen;  // 22: empty payload
inline constexpr std::uint32_t kMaxPad = 255;
inline constexpr std::uint32_t kFirstSpi = 256;  // 0 is never on the wire, 1..255 are reserved (2.1)

/// Padding that ends pad length and next header on a 4-byte boundary: 2, 1, 0, 3 for payload mod 4 = 0, 1,
/// 2, 3.
[[nodiscard]] constexpr std::uint32_t pad_len(std::uint32_t payload_len) {
  return (2u - payload_len) & 3u;
}

/// Writes 1, 2, 3, pad length, next header at `to`, for at most 3 bytes of padding. Up to 2 bytes of the ICV,
/// which comes behind, may be written too.
inline void write_trailer(std::uint8_t* to, std::uint32_t num_pad, std::uint8_t next_header) {
  constexpr std::uint8_t kPadding[] = {1, 2, 3, 0};
  std::memcpy(to, kPadding, sizeof kPadding);
  to[num_pad] = static_cast<std::uint8_t>(num_pad);
  to[num_pad + 1] = next_header;
}

/// True if the `num_pad` bytes are 1, 2, 3, ... (2.4: a receiver should check, NULL encryption has nothing
/// else).
[[nodiscard]] inline bool padding_ok(const std::uint8_t* padding, std::uint32_t num_pad) {
  std::uint32_t diff = 0;
  for (std::uint32_t i = 0; i < num_pad; ++i) diff |= padding[i] ^ (i + 1);
  return diff == 0;
}

}  // namespace gate96::esp
