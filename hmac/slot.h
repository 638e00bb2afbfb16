// SPDX-License-Identifier: BSD-3-Clause
// Padding: the last blocks of a message and the block of the outer hash (FIPS 180-4 5.1.1).
//
// Block functions load 16 bytes at a time, and a load that takes from several smaller stores waits until
// these have left the store buffer. So what is hashed at once is stored 16 bytes at a time, and the rest of a
// message is padded long before its turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hmac/burst.h"
#include "sha1/state.h"

namespace gate96::hmac {

// A rest with its padding takes two blocks at most; a short message is copied whole, so that it is one run.
inline constexpr std::size_t kSlotLen = 3 * sha1::kBlockLen;

using Slot = std::array<std::uint8_t, kSlotLen>;

inline constexpr std::size_t kEsnLen = 4;
inline constexpr std::size_t kPaddingLen = 9;  // the least: 0x80 and the bit count

using Words4 [[gnu::vector_size(16)]] = std::uint32_t;

/// Four words, big-endian, in one store.
inline void store_be_words(std::uint8_t* out, std::uint32_t w0, std::uint32_t w1, std::uint32_t w2,
                           std::uint32_t w3) {
  Words4 words = {w0, w1, w2, w3};
  words = (words << 16) | (words >> 16);
  words = ((words << 8) & 0xff00ff00u) | ((words >> 8) & 0x00ff00ffu);
  std::memcpy(out, &words, sizeof words);
}

inline void store_be32(std::uint8_t* out, std::uint32_t value) {
  value = __builtin_bswap32(value);
  std::memcpy(out, &value, sizeof value);
}

inline void store_be64(std::uint8_t* out, std::uint64_t value) {
  value = __builtin_bswap64(value);
  std::memcpy(out, &value, sizeof value);
}

/// Zeros for finish_slot().
inline void clear_block(std::uint8_t* block) {
  const Words4 zero = {};
  for (std::size_t i = 0; i < sha1::kBlockLen; i += sizeof zero) std::memcpy(block + i, &zero, sizeof zero);
}

/// Ends a message of `message_len` bytes whose last `len`, fewer than a block, are in `slot`, with zeros
/// behind them. A high half of the ESN counts in `message_len` only. Returns the blocks in the slot.
inline std::uint32_t finish_slot(std::uint8_t* slot, std::size_t len, const Job& job,
                                 std::uint64_t message_len) {
  if (job.has_esn) {
    store_be32(slot + len, job.esn_high);
    len += kEsnLen;
  }
  slot[len] = 0x80;
  const std::uint32_t num_blocks = len + kPaddingLen <= sha1::kBlockLen ? 1 : 2;
  store_be64(slot + num_blocks * sha1::kBlockLen - 8, (sha1::kBlockLen + message_len) * 8);
  return num_blocks;
}

inline constexpr std::size_t kShortLen = kSlotLen - kPaddingLen - kEsnLen;

/// Of a message that lies in one place: all of it if it is short, else what is behind its whole blocks,
/// padded. Returns the blocks in the slot.
inline std::uint32_t fill_slot(Slot& slot, const Job& job) {
  const std::size_t rest = job.len % sha1::kBlockLen;
  const std::size_t body = job.len <= kShortLen ? job.len / sha1::kBlockLen : 0;
  std::uint8_t* out = slot.data();
  for (std::size_t i = 0; i < body; ++i, out += sha1::kBlockLen)
    std::memcpy(out, job.data + (out - slot.data()), sha1::kBlockLen);
  clear_block(out);
  if (rest + (job.has_esn ? kEsnLen : 0) + kPaddingLen > sha1::kBlockLen) clear_block(out + sha1::kBlockLen);
  if (rest > 0) std::memcpy(out, job.data + (job.len - rest), rest);
  const std::uint64_t len = std::uint64_t{job.len} + (job.has_esn ? kEsnLen : 0);
  return static_cast<std::uint32_t>(body) + finish_slot(out, rest, job, len);
}

/// The block of the outer hash, of an inner digest.
inline void fill_outer_block(Slot& slot, std::uint32_t h0, std::uint32_t h1, std::uint32_t h2,
                             std::uint32_t h3, std::uint32_t h4) {
  constexpr std::uint32_t kNumBits = (sha1::kBlockLen + sha1::kDigestLen) * 8;
  store_be_words(slot.data(), h0, h1, h2, h3);
  store_be_words(slot.data() + 16, h4, 0x80000000u, 0, 0);
  store_be_words(slot.data() + 32, 0, 0, 0, 0);
  store_be_words(slot.data() + 48, 0, 0, 0, kNumBits);
}

/// The ICV, from the state of the outer hash.
inline void store_icv(Job& job, std::uint32_t h0, std::uint32_t h1, std::uint32_t h2) {
  store_be32(job.icv.data(), h0);
  store_be32(job.icv.data() + 4, h1);
  store_be32(job.icv.data() + 8, h2);
}

}  // namespace gate96::hmac
