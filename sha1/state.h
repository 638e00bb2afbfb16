// SPDX-License-Identifier: BSD-3-Clause
// The SHA-1 state and the two contracts that every backend obeys (FIPS 180-4 section 6.1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gate96::sha1 {

inline constexpr std::size_t kBlockLen = 64;   // bytes in a message block
inline constexpr std::size_t kDigestLen = 20;  // bytes in a digest
inline constexpr std::size_t kStateWords = 5;  // 32-bit words in a state
inline constexpr std::size_t kMaxLanes = 16;   // streams in a LaneState, whatever the backend

/// The chaining value H(i), words in host order.
struct State {
  std::array<std::uint32_t, kStateWords> h;
};
static_assert(sizeof(State) == kDigestLen);

/// H(0) of FIPS 180-4 5.3.1. The one initial value that all code shares.
inline constexpr State init() {
  return {{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u}};
}

/// A block function: absorbs `num_blocks` 64-byte blocks at `blocks` (any alignment) into `state` (5 words,
/// host order). num_blocks may be 0. Reads exactly 64 * num_blocks bytes, keeps no pointer, allocates
/// nothing.
using BlockFn = void (*)(std::uint32_t* state, const std::uint8_t* blocks, std::size_t num_blocks);

/// Up to kMaxLanes independent streams as a structure of arrays: h[word][lane].
struct alignas(64) LaneState {
  std::uint32_t h[kStateWords][kMaxLanes];
  const std::uint8_t* next[kMaxLanes];  // where each lane's next block begins
};

/// A lane function of a backend with L lanes: absorbs `num_blocks` blocks into each of lanes 0..L-1 and
/// advances next[] by 64 * num_blocks. All L pointers must be readable that far; an idle lane aliases a live
/// one. Lanes L..15 are neither read nor written.
using LaneFn = void (*)(LaneState* lanes, std::size_t num_blocks);

}  // namespace gate96::sha1
