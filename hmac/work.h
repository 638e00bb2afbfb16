// SPDX-License-Identifier: BSD-3-Clause
// A burst in work: what the drivers (lanes.h, wide.h) share, and what stays in memory between two calls of
// run().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hmac/burst.h"
#include "hmac/choice.h"
#include "hmac/slot.h"
#include "hmac/wide.h"
#include "sha1/state.h"

namespace gate96::hmac {

/// Of Run::then_blocks: what follows is not known yet, ask next_run().
inline constexpr std::uint32_t kChain = UINT32_MAX;

/// Whole blocks of a message that lie in one place, and what follows them. The last run is the padded rest of
/// the message, in a slot; the outer hash is a run of one block.
struct Run {
  const std::uint8_t* next;
  std::uint32_t num_blocks;
  std::uint32_t then_blocks;  // at the head of the message's slot; 0: none; or kChain
};

/// A message that is in no lane: what must be known to go on with it.
struct Stream {
  sha1::State h;
  Run run;
  bool outer;  // the inner hash is done

  // Of a message in pieces, in a lane or not.
  std::uint32_t num_pieces;    // that are used up
  std::uint32_t piece_offset;  // bytes of the next piece that are used up
  bool spare_slot;             // the run in a slot is in the spare one
};

struct Work {
  std::span<Job> jobs;
  std::array<std::uint8_t, kMaxBurst> order;        // jobs, those with most blocks first
  std::size_t num_taken = 0;                        // order[num_taken..] have not been begun
  std::array<std::uint8_t, sha1::kMaxLanes> begun;  // positions in order: begun, not done, in no lane now
  std::size_t num_begun = 0;
  bool kept_states = false;      // some Stream holds or held one
  std::uint64_t num_blocks = 0;  // of all inner hashes
  std::uint32_t longest = 0;     // blocks of the longest, if it is not beyond what order.cpp tells apart
  bool equal_lengths = true;

  // By position in order. Slots are two so that a run can be prepared while the one before it is still read.
  std::array<Stream, kMaxBurst> streams;
  alignas(64) std::array<Slot, kMaxBurst> slots;
  alignas(64) std::array<Slot, kMaxBurst> spare_slots;

  sha1::LaneState lanes;  // of whichever driver runs; nothing stays in them between two legs
  WideState wide;

  [[nodiscard]] std::size_t num_waiting() const { return num_begun + jobs.size() - num_taken; }
  [[nodiscard]] Job& job(std::size_t position) { return jobs[order[position]]; }
};

/// Bytes of the message, a high half of the ESN included.
[[nodiscard]] inline std::uint64_t message_len(const Job& job) {
  std::uint64_t len = std::uint64_t{job.len} + (job.has_esn ? kEsnLen : 0);
  for (std::size_t i = 0; i < job.num_more; ++i) len += job.more[i].len;
  return len;
}

/// Blocks of the inner hash of `job` after the key's.
[[nodiscard]] inline std::uint64_t num_inner_blocks(const Job& job) {
  return (message_len(job) + kPaddingLen + sha1::kBlockLen - 1) / sha1::kBlockLen;
}

/// Of the messages of the burst, on average.
[[nodiscard]] inline Length length_of(const Work& work) {
  return work.num_blocks > kFewBlocks * work.jobs.size() ? Length::kLong : Length::kShort;
}

/// Takes jobs up and puts them in order.
void begin_work(Work& work, std::span<Job> jobs);

/// The first run of the message at `position`. Fills its slot.
[[nodiscard]] Run open_run(Work& work, std::size_t position);

/// The run after a finished one of which then_blocks was kChain.
[[nodiscard]] Run next_run(Work& work, std::size_t position);

/// Notes a stream that has left its lane; its h, run and outer must be up to date.
inline void put_back(Work& work, std::size_t position) {
  work.begun[work.num_begun++] = static_cast<std::uint8_t>(position);
  work.kept_states = true;
}

/// Wipes all states of streams that were begun.
void end_work(Work& work);

}  // namespace gate96::hmac
