// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/block.h"

#include <bit>

namespace gate96::hmac {
namespace {

std::uint32_t load_be32(const std::uint8_t* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

// FIPS 180-4 6.1.2, with the schedule in a ring of 16 words.
void absorb(std::uint32_t* state, const std::uint8_t* block) {
  std::uint32_t w[16];
  for (int t = 0; t < 16; ++t) w[t] = load_be32(block + 4 * t);
  std::uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
  for (int t = 0; t < 80; ++t) {
    if (t >= 16) {
      w[t & 15] = std::rotl(w[(t + 13) & 15] ^ w[(t + 8) & 15] ^ w[(t + 2) & 15] ^ w[t & 15], 1);
    }
    std::uint32_t f = b ^ c ^ d, k = t < 40 ? 0x6ed9eba1u : 0xca62c1d6u;
    if (t < 20) {
      f = (b & c) | (~b & d), k = 0x5a827999u;
    } else if (t >= 40 && t < 60) {
      f = (b & c) | (b & d) | (c & d), k = 0x8f1bbcdcu;
    }
    const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[t & 15];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

void absorb_blocks(std::uint32_t* state, const std::uint8_t* blocks, std::size_t num_blocks) {
  for (; num_blocks > 0; --num_blocks, blocks += sha1::kBlockLen) absorb(state, blocks);
}

}  // namespace

sha1::BlockFn scalar_block_fn() {
  return absorb_blocks;
}

}  // namespace gate96::hmac
