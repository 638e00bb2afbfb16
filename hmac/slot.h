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

inline constexpr std::size_t kSlotLen =
    2 * sha1::kBlockLen;  // a message's rest and its padding: at most two blocks

using Slot = std::array<std::uint8_t, kSlotLen>;

inline constexpr std::size_t kEsnLen = 4;
inline constexpr std::size_t kPaddingLen = 9;  // the least: 0x80 and the bit count

using Words4 [[gnu::vector_size(16)]] = std::uint32_t;

inline Words4 to_big_endian(Words4 words) {
  words = (words << 16) | (words >> 16);
  return ((words << 8) & 0xff00ff00u) | ((words >> 8) & 0x00ff00ffu);
}

inline void store_be32(std::uint8_t* out, std::uint32_t value) {
  value = __builtin_bswap32(value);
  std::memcpy(out, &value, sizeof value);
}

inline void store_be64(std::uint8_t* out, std::uint64_t value) {
  value = __builtin_bswap64(value);
  std::memcpy(out, &value, sizeof value);
}

inline void clear_slot(Slot& slot) {
  const Words4 zero = {};
  for (std::size_t i = 0; i < slot.size(); i += sizeof zero) std::memcpy(slot.data() + i, &zero, sizeof zero);
}

/// Ends a message of `message_len` bytes whose last `len`, fewer than a block, are in `slot`, with zeros
/// behind them. A high half of the ESN counts in `message_len` only. Returns the blocks in the slot.
inline std::uint32_t finish_slot(Slot& slot, std::size_t len, const Job& job, std::uint64_t message_len) {
  if (job.has_esn) {
    store_be32(slot.data() + len, job.esn_high);
    len += kEsnLen;
  }
  slot[len] = 0x80;
  const std::uint32_t num_blocks = len + kPaddingLen <= sha1::kBlockLen ? 1 : 2;
  store_be64(slot.data() + num_blocks * sha1::kBlockLen - 8, (sha1::kBlockLen + message_len) * 8);
  return num_blocks;
}

/// Pads the rest of a message that lies in one place, what is behind its whole blocks. Returns the blocks in
/// the slot.
inline std::uint32_t fill_slot(Slot& slot, const Job& job) {
  const std::size_t rest = job.len % sha1::kBlockLen;
  clear_slot(slot);
  if (rest > 0) std::memcpy(slot.data(), job.data + (job.len - rest), rest);
  return finish_slot(slot, rest, job, std::uint64_t{job.len} + (job.has_esn ? kEsnLen : 0));
}

/// The block of the outer hash, of an inner digest.
inline void fill_outer_block(Slot& slot, std::uint32_t h0, std::uint32_t h1, std::uint32_t h2,
                             std::uint32_t h3, std::uint32_t h4) {
  constexpr std::uint32_t kNumBits = (sha1::kBlockLen + sha1::kDigestLen) * 8;
  const Words4 block[4] = {to_big_endian(Words4{h0, h1, h2, h3}),
                           to_big_endian(Words4{h4, 0x80000000u, 0, 0}), Words4{},
                           to_big_endian(Words4{0, 0, 0, kNumBits})};
  std::memcpy(slot.data(), block, sizeof block);
}

/// The ICV, from the state of the outer hash.
inline void store_icv(Job& job, std::uint32_t h0, std::uint32_t h1, std::uint32_t h2) {
  store_be32(job.icv.data(), h0);
  store_be32(job.icv.data() + 4, h1);
  store_be32(job.icv.data() + 8, h2);
}

}  // namespace gate96::hmac
