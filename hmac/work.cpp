// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/work.h"

#include <algorithm>
#include <cstring>

#include "sha1/wipe.h"

namespace gate96::hmac {
namespace {

constexpr std::size_t kEsnLen = 4;
constexpr std::size_t kPaddingLen = 9;  // the least: 0x80 and the bit count (FIPS 180-4 5.1.1)

template <typename Word>
void store_be(std::uint8_t* out, Word value) {
  if constexpr (sizeof(Word) == 8) {
    value = __builtin_bswap64(value);
  } else {
    value = __builtin_bswap32(value);
  }
  std::memcpy(out, &value, sizeof value);
}

std::uint64_t message_len(const Job& job) {
  std::uint64_t len = job.len + (job.has_esn ? kEsnLen : 0);
  for (std::size_t i = 0; i < job.num_more; ++i) len += job.more[i].len;
  return len;
}

Segment piece(const Job& job, std::size_t index) {
  return index == 0 ? Segment{job.data, job.len} : job.more[index - 1];
}

// Ends the message whose last `len` bytes, fewer than a block, are in `slot`. Returns the blocks in it.
std::uint32_t finish_slot(Slot& slot, std::size_t len, const Job& job) {
  if (job.has_esn) {
    store_be(slot.data() + len, job.esn_high);
    len += kEsnLen;
  }
  const std::uint32_t num_blocks = len + kPaddingLen <= sha1::kBlockLen ? 1 : 2;
  const std::size_t end = num_blocks * sha1::kBlockLen;
  slot[len++] = 0x80;
  std::memset(slot.data() + len, 0, end - 8 - len);
  store_be(slot.data() + end - 8, (sha1::kBlockLen + message_len(job)) * 8);
  return num_blocks;
}

// Copies from the message's next pieces until a block is full or the message at its end. Returns the bytes
// copied.
std::size_t gather(Stream& stream, const Job& job, Slot& slot) {
  std::size_t filled = 0;
  while (filled < sha1::kBlockLen && stream.num_pieces <= job.num_more) {
    const Segment from = piece(job, stream.num_pieces);
    const std::size_t len = std::min<std::size_t>(sha1::kBlockLen - filled, from.len - stream.piece_offset);
    if (len > 0) std::memcpy(slot.data() + filled, from.data + stream.piece_offset, len);
    filled += len;
    stream.piece_offset += static_cast<std::uint32_t>(len);
    if (stream.piece_offset < from.len) break;
    ++stream.num_pieces;
    stream.piece_offset = 0;
  }
  return filled;
}

// The next run of the inner hash: whole blocks where they lie, or a block put together in a slot.
void next_inner_run(Work& work, std::size_t position) {
  Stream& stream = work.streams[position];
  const Job& job = work.job(position);
  stream.then_blocks = kChain;
  if (stream.num_pieces <= job.num_more) {
    const Segment from = piece(job, stream.num_pieces);
    stream.num_blocks = (from.len - stream.piece_offset) / sha1::kBlockLen;
    if (stream.num_blocks > 0) {
      stream.next = from.data + stream.piece_offset;
      stream.piece_offset += stream.num_blocks * sha1::kBlockLen;
      return;
    }
  }
  stream.spare_slot = !stream.spare_slot;
  Slot& slot = (stream.spare_slot ? work.spare_slots : work.slots)[position];
  stream.next = slot.data();
  stream.num_blocks = 1;
  const std::size_t len = gather(stream, job, slot);
  if (len == sha1::kBlockLen) return;
  stream.num_blocks = finish_slot(slot, len, job);
  stream.then_blocks = 0;
}

// The outer hash: one block of the inner digest and padding, after the key's.
void begin_outer(Work& work, std::size_t position) {
  Stream& stream = work.streams[position];
  Slot& slot = work.spare_slots[position];
  for (std::size_t i = 0; i < sha1::kStateWords; ++i) store_be(slot.data() + 4 * i, stream.h.h[i]);
  std::memset(slot.data() + sha1::kDigestLen, 0, sha1::kBlockLen - sha1::kDigestLen);
  slot[sha1::kDigestLen] = 0x80;
  store_be(slot.data() + sha1::kBlockLen - 8, std::uint64_t{sha1::kBlockLen + sha1::kDigestLen} * 8);
  stream.h = work.job(position).key->outer();
  stream.next = slot.data();
  stream.num_blocks = 1;
  stream.outer = true;
}

}  // namespace

std::uint32_t num_inner_blocks(const Job& job) {
  return static_cast<std::uint32_t>((message_len(job) + kPaddingLen + sha1::kBlockLen - 1) / sha1::kBlockLen);
}

void open_stream(Work& work, std::size_t position) {
  Stream& stream = work.streams[position];
  stream.num_pieces = stream.piece_offset = 0;
  stream.outer = false;
  stream.spare_slot = true;
  next_inner_run(work, position);
}

std::size_t take_stream(Work& work) {
  if (work.num_begun > 0) return work.begun[--work.num_begun];
  const std::size_t position = work.num_taken++;
  work.streams[position].h = work.job(position).key->inner();
  open_stream(work, position);
  return position;
}

void put_back(Work& work, std::size_t position) {
  work.begun[work.num_begun++] = static_cast<std::uint8_t>(position);
}

bool next_run(Work& work, std::size_t position) {
  Stream& stream = work.streams[position];
  if (stream.outer) {
    store_icv(work.job(position), stream.h.h[0], stream.h.h[1], stream.h.h[2]);
    return false;
  }
  if (stream.then_blocks == kChain) {
    next_inner_run(work, position);
  } else if (stream.then_blocks > 0) {
    stream.next = work.slots[position].data();
    stream.num_blocks = stream.then_blocks;
    stream.then_blocks = 0;
  } else {
    begin_outer(work, position);
  }
  return true;
}

void store_icv(Job& job, std::uint32_t h0, std::uint32_t h1, std::uint32_t h2) {
  store_be(job.icv.data(), h0);
  store_be(job.icv.data() + 4, h1);
  store_be(job.icv.data() + 8, h2);
}

void end_work(Work& work) {
#if defined(__x86_64__)
  wipe_wide(work.wide);
#endif
  for (std::size_t i = 0; i < work.num_taken; ++i) wipe(&work.streams[i].h, sizeof work.streams[i].h);
}

}  // namespace gate96::hmac
