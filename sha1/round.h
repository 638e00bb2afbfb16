// SPDX-License-Identifier: BSD-3-Clause
// The pieces of FIPS 180-4 that the portable backends share.
#pragma once

#include <cstdint>

namespace gate96::sha1 {

/// K of FIPS 180-4 4.2.1, one for each twenty rounds.
inline constexpr std::uint32_t kRoundConstant[4] = {0x5a827999u, 0x6ed9eba1u, 0x8f1bbcdcu, 0xca62c1d6u};

/// Byte by byte: right on any byte order and alignment; compilers make one load and a swap of it.
[[gnu::always_inline]] inline std::uint32_t load_be32(const std::uint8_t* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

/// f of FIPS 180-4 4.1.1 for round 20 * stage and the nineteen after it. Ch and Maj are written to need one
/// operation less than there.
[[gnu::always_inline]] inline std::uint32_t mix(unsigned stage, std::uint32_t b, std::uint32_t c,
                                                std::uint32_t d) {
  if (stage == 0) return d ^ (b & (c ^ d));
  if (stage == 2) return (b & c) | (d & (b | c));
  return b ^ c ^ d;
}

}  // namespace gate96::sha1
