// SPDX-License-Identifier: BSD-3-Clause
#include "hmac/work.h"

#include <algorithm>
#include <cstring>

#include "sha1/wipe.h"

namespace gate96::hmac {
namespace {

Segment piece(const Job& job, std::size_t index) {
  return index == 0 ? Segment{job.data, job.len} : job.more[index - 1];
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

// A message in one place: its whole blocks, then the rest, which is padded now, so that its stores are long
// done when a block function loads it.
Run open_whole(Work& work, std::size_t position) {
  const Job& job = work.job(position);
  Slot& slot = work.slots[position];
  const std::uint32_t in_slot = fill_slot(slot, job);
  if (job.len <= kShortLen) return {slot.data(), in_slot, 0};
  return {job.data, job.len / static_cast<std::uint32_t>(sha1::kBlockLen), in_slot};
}

}  // namespace

Run open_run(Work& work, std::size_t position) {
  if (work.job(position).num_more == 0) return open_whole(work, position);
  Stream& stream = work.streams[position];
  stream.num_pieces = stream.piece_offset = 0;
  stream.spare_slot = true;
  return next_run(work, position);
}

// Whole blocks where they lie, or a block put together in a slot.
Run next_run(Work& work, std::size_t position) {
  Stream& stream = work.streams[position];
  const Job& job = work.job(position);
  if (stream.num_pieces <= job.num_more) {
    const Segment from = piece(job, stream.num_pieces);
    const std::uint32_t num_blocks = (from.len - stream.piece_offset) / sha1::kBlockLen;
    if (num_blocks > 0) {
      const Run run = {from.data + stream.piece_offset, num_blocks, kChain};
      stream.piece_offset += num_blocks * sha1::kBlockLen;
      return run;
    }
  }
  stream.spare_slot = !stream.spare_slot;
  Slot& slot = (stream.spare_slot ? work.spare_slots : work.slots)[position];
  clear_block(slot.data());
  clear_block(slot.data() + sha1::kBlockLen);
  const std::size_t len = gather(stream, job, slot);
  if (len == sha1::kBlockLen) return {slot.data(), 1, kChain};
  return {slot.data(), finish_slot(slot.data(), len, job, message_len(job)), 0};
}

void end_work(Work& work) {
#if defined(__x86_64__)
  wipe_wide(work);
#endif
  if (!work.kept_states) return;
  for (std::size_t i = 0; i < work.num_taken; ++i) wipe(&work.streams[i].h, sizeof work.streams[i].h);
  work.kept_states = false;
}

}  // namespace gate96::hmac
