// SPDX-License-Identifier: BSD-3-Clause
#include "sha1/generic.h"

#include <bit>

namespace gate96::sha1 {
namespace {

constexpr std::uint32_t kRoundConstant[4] = {0x5a827999u, 0x6ed9eba1u, 0x8f1bbcdcu, 0xca62c1d6u};

// Byte by byte: right on any byte order and alignment; compilers make one load and a swap of it.
inline std::uint32_t load_be32(const std::uint8_t* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

// FIPS 180-4 4.1.1, with Ch and Maj written to need one temporary less.
inline std::uint32_t mix(unsigned stage, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (stage == 0) return d ^ (b & (c ^ d));
  if (stage == 2) return (b & c) | (d & (b | c));
  return b ^ c ^ d;
}

// FIPS 180-4 6.1.3, the alternate method: W as 16 words used in a circle.
inline std::uint32_t schedule(std::uint32_t (&w)[16], unsigned t, const std::uint8_t* block) {
  std::uint32_t& word = w[t & 15];
  if (t < 16) return word = load_be32(block + 4 * t);
  return word = std::rotl(word ^ w[(t + 2) & 15] ^ w[(t + 8) & 15] ^ w[(t + 13) & 15], 1);
}

}  // namespace

[[gnu::section("sha1_generic_code")]] void generic(std::uint32_t* state, const std::uint8_t* blocks,
                                                   std::size_t num_blocks) {
  std::uint32_t w[16];
  for (; num_blocks > 0; --num_blocks, blocks += kBlockLen) {
    std::uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (unsigned t = 0; t < 80; ++t) {
      const unsigned stage = t / 20;
      const std::uint32_t next =
          std::rotl(a, 5) + mix(stage, b, c, d) + e + kRoundConstant[stage] + schedule(w, t, blocks);
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
  }
}

}  // namespace gate96::sha1
