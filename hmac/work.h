// SPDX-License-Identifier: BSD-3-Clause
// A burst in work: what the drivers (lanes.h, wide.h) share, and what stays in memory between two calls of
// run().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hmac/burst.h"
#include "hmac/wide.h"
#include "sha1/state.h"

namespace gate96::hmac {

/// Of Stream::then_blocks: what follows is not known yet, ask next_run().
inline constexpr std::uint32_t kChain = UINT32_MAX;

inline constexpr std::size_t kSlotLen =
    2 * sha1::kBlockLen;  // a message's rest and its padding: at most two blocks

using Slot = std::array<std::uint8_t, kSlotLen>;

/// One message on its way through the hash, as a series of runs: whole blocks that lie in one place. The last
/// run of the inner hash is the padded rest of the message, in the stream's slot; the outer hash is one run
/// of one block.
struct Stream {
  sha1::State h;
  std::uint32_t num_blocks;    // left in this run
  const std::uint8_t* next;    // where they begin
  std::uint32_t then_blocks;   // of the run after it, at the head of the slot; 0: none; or kChain
  std::uint32_t num_pieces;    // pieces of the message that are used up
  std::uint32_t piece_offset;  // bytes of the next piece that are used up
  bool outer;                  // the inner hash is done
  bool spare_slot;             // the run in the slot is in the spare one
};

struct Work {
  std::span<Job> jobs;
  std::array<std::uint8_t, kMaxBurst> order;        // jobs, those with most blocks first
  std::size_t num_taken = 0;                        // order[num_taken..] have not been begun
  std::array<std::uint8_t, sha1::kMaxLanes> begun;  // positions in order: begun, not done, in no lane now
  std::size_t num_begun = 0;
  std::uint64_t num_blocks = 0;  // of all inner hashes

  // By position in order. Slots are two so that a run can be prepared while the one before it is still read.
  std::array<Stream, kMaxBurst> streams;
  alignas(64) std::array<Slot, kMaxBurst> slots;
  alignas(64) std::array<Slot, kMaxBurst> spare_slots;

  WideState wide;

  [[nodiscard]] std::size_t num_waiting() const { return num_begun + jobs.size() - num_taken; }
  [[nodiscard]] Job& job(std::size_t position) { return jobs[order[position]]; }
};

/// Blocks of the inner hash of `job` after the key's.
[[nodiscard]] std::uint32_t num_inner_blocks(const Job& job);

/// Takes jobs up and puts them in order.
void begin_work(Work& work, std::span<Job> jobs);

/// Sets a stream to the first run of the message at `position`.
void open_stream(Work& work, std::size_t position);

/// The position of a stream to go on with, its run and state set; num_waiting() must not be 0.
[[nodiscard]] std::size_t take_stream(Work& work);

/// Gives back a stream that is not done. Its h, next, num_blocks and then_blocks must be up to date.
void put_back(Work& work, std::size_t position);

/// The run after a finished one. If the whole hash is done, writes the ICV and returns false.
[[nodiscard]] bool next_run(Work& work, std::size_t position);

/// Writes the ICV from the state of the outer hash.
void store_icv(Job& job, std::uint32_t h0, std::uint32_t h1, std::uint32_t h2);

/// Wipes all states of streams that were begun.
void end_work(Work& work);

}  // namespace gate96::hmac
