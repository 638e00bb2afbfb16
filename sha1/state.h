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
inline constexpr std::size_t kMaxLanes = 32;   // streams in a LaneState, whatever the backend

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

/// Up to kMaxLanes independent streams as a structure of arrays: h[word][lane]. The assembly knows the
/// offsets (asm/lanes.inc). A caller sets h and next; the rest may stay as it is made.
struct alignas(64) LaneState {
  std::uint32_t h[kStateWords][kMaxLanes];
  const std::uint8_t* next[kMaxLanes];   // where each lane's next block begins
  const std::uint8_t* after[kMaxLanes];  // with look_ahead: the block that follows the last of this call
  std::uint32_t words[2][kBlockLen / 4][kMaxLanes];  // transposed blocks, or half transposed ones
  std::uint32_t half = 0;                            // which of words[] the next block uses
  std::uint32_t staged = 0;                          // 1: the blocks at next[] are transposed already
  std::uint32_t look_ahead = 0;  // 1: transpose the block at after[] during the last block
  alignas(64)
      std::uint32_t schedule[101][kMaxLanes];  // of the loop backends: W(t), the next block in the first 16
};

/// A lane function of a backend with L lanes: absorbs `num_blocks` blocks into each of lanes 0..L-1 and
/// advances next[] by 64 * num_blocks. All L pointers must be readable that far; an idle lane aliases a live
/// one. num_blocks may be 0. Lanes L..31 of h and next are neither read nor written.
///
/// Backends that transpose (8 lanes and more) do so one block ahead of the rounds. Over calls they can go on
/// doing that: with look_ahead set (num_blocks > 0) the call leaves next[] = after[] and staged = 1, having
/// read one block at after[]; the caller may change h, but not next, before the next call, which must be to
/// the same function. Other backends want look_ahead 0.
using LaneFn = void (*)(LaneState* lanes, std::size_t num_blocks);

#if defined(__x86_64__)  // the lane functions are 64-bit code
static_assert(offsetof(LaneState, next) == 640 && offsetof(LaneState, after) == 896);
static_assert(offsetof(LaneState, words) == 1152 && offsetof(LaneState, half) == 5248);
static_assert(offsetof(LaneState, staged) == 5252 && offsetof(LaneState, look_ahead) == 5256);
static_assert(offsetof(LaneState, schedule) == 5312);
#endif

}  // namespace gate96::sha1
