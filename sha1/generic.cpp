// SPDX-License-Identifier: BSD-3-Clause
#include <bit>

#include "sha1/portable.h"
#include "sha1/round.h"
#include "sha1/wipe.h"

namespace gate96::sha1 {
namespace {

// FIPS 180-4 6.1.3, the alternate method: W as 16 words used in a circle.
inline std::uint32_t schedule(std::uint32_t (&w)[16], unsigned t, const std::uint8_t* block) {
  std::uint32_t& word = w[t & 15];
  if (t < 16) return word = load_be32(block + 4 * t);
  return word = std::rotl(word ^ w[(t + 2) & 15] ^ w[(t + 8) & 15] ^ w[(t + 13) & 15], 1);
}

// Rounds 20 * stage to 20 * stage + 19. A loop for each stage costs bytes but no choice of f in every round.
template <unsigned stage>
[[gnu::always_inline]] inline void twenty_rounds(std::uint32_t (&v)[5], std::uint32_t (&w)[16],
                                                 const std::uint8_t* block) {
  for (unsigned t = 20 * stage; t < 20 * stage + 20; ++t) {
    const std::uint32_t next = std::rotl(v[0], 5) + mix(stage, v[1], v[2], v[3]) + v[4] +
                               kRoundConstant[stage] + schedule(w, t, block);
    v[4] = v[3];
    v[3] = v[2];
    v[2] = std::rotl(v[1], 30);
    v[1] = v[0];
    v[0] = next;
  }
}

}  // namespace

[[gnu::section("sha1_generic_code")]] void generic(std::uint32_t* state, const std::uint8_t* blocks,
                                                   std::size_t num_blocks) {
  std::uint32_t w[16];
  for (; num_blocks > 0; --num_blocks, blocks += kBlockLen) {
    std::uint32_t v[5] = {state[0], state[1], state[2], state[3], state[4]};
    twenty_rounds<0>(v, w, blocks);
    twenty_rounds<1>(v, w, blocks);
    twenty_rounds<2>(v, w, blocks);
    twenty_rounds<3>(v, w, blocks);
    for (std::size_t i = 0; i < kStateWords; ++i) state[i] += v[i];
  }
  wipe(w, sizeof w);
}

}  // namespace gate96::sha1
