// SPDX-License-Identifier: BSD-3-Clause
#include <bit>
#include <utility>

#include "sha1/portable.h"
#include "sha1/round.h"
#include "sha1/wipe.h"

namespace gate96::sha1 {
namespace {

// Everything below melts into its caller and is compiled for the caller's ISA.

// W(t). Rounds 0 to 15 read the block, later ones replace W(t-16) (FIPS 180-4 6.1.3). t is constant where it
// is used, so that the words may live in registers.
[[gnu::always_inline]] inline std::uint32_t word(std::uint32_t (&w)[16], unsigned t,
                                                 const std::uint8_t* block) {
  if (t < 16) return w[t] = load_be32(block + 4 * t);
  return w[t % 16] = std::rotl(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16], 1);
}

// Round t on five words that stay where they are: which of them is a turns by one each round.
template <unsigned t>
[[gnu::always_inline]] inline void round(std::uint32_t (&v)[5], std::uint32_t (&w)[16],
                                         const std::uint8_t* block) {
  constexpr unsigned a = (80 - t) % 5, b = (81 - t) % 5, c = (82 - t) % 5, d = (83 - t) % 5, e = (84 - t) % 5;
  v[e] += word(w, t, block) + kRoundConstant[t / 20];
  v[e] += mix(t / 20, v[b], v[c], v[d]);
  v[e] += std::rotl(v[a], 5);
  v[b] = std::rotl(v[b], 30);
}

template <unsigned... t>
[[gnu::always_inline]] inline void rounds(std::uint32_t (&v)[5], std::uint32_t (&w)[16],
                                          const std::uint8_t* block, std::integer_sequence<unsigned, t...>) {
  (round<t>(v, w, block), ...);
}

[[gnu::always_inline]] inline void absorb(std::uint32_t* state, const std::uint8_t* blocks,
                                          std::size_t num_blocks) {
  std::uint32_t w[16];
  for (; num_blocks > 0; --num_blocks, blocks += kBlockLen) {
    std::uint32_t v[5] = {state[0], state[1], state[2], state[3], state[4]};
    rounds(v, w, blocks, std::make_integer_sequence<unsigned, 80>());
    for (std::size_t i = 0; i < kStateWords; ++i) state[i] += v[i];
  }
  wipe(w, sizeof w);
}

}  // namespace

[[gnu::section("sha1_unrolled_code")]] void unrolled(std::uint32_t* state, const std::uint8_t* blocks,
                                                     std::size_t num_blocks) {
  absorb(state, blocks, num_blocks);
}

#if defined(__x86_64__)
[[gnu::section("sha1_unrolled_bmi2_code"), gnu::target("bmi,bmi2")]] void unrolled_bmi2(
    std::uint32_t* state, const std::uint8_t* blocks, std::size_t num_blocks) {
  absorb(state, blocks, num_blocks);
}
#endif

}  // namespace gate96::sha1
