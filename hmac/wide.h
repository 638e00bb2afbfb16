// SPDX-License-Identifier: BSD-3-Clause
// The driver for 8 to 32 lanes on a CPU with AVX-512, and what it keeps in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hmac/avx512.h"
#include "sha1/backends.h"

namespace gate96::hmac {

struct Work;
struct Leg;

inline constexpr std::size_t kGroup = 16;  // messages that are prepared at once

/// Structures of arrays, so that lanes are refilled and emptied a vector at a time.
struct alignas(64) WideState {
  static constexpr std::size_t kRows =
      256 + sha1::kMaxLanes;  // kMaxBurst and more: loads may run over the end

  // By lane.
  alignas(64) std::uint32_t num_blocks[sha1::kMaxLanes];      // left in the run; UINT32_MAX in an idle lane
  alignas(64) std::uint32_t then_blocks[sha1::kMaxLanes];     // as in Stream
  alignas(64) std::uint32_t position[sha1::kMaxLanes];        // in Work::order
  alignas(64) std::uint32_t ended_position[sha1::kMaxLanes];  // before the lane's new message
  std::uint32_t live;                                         // a bit a lane
  std::uint32_t outer;  // lanes that do an outer hash which another driver began

  // Messages before `num_prepared`, by position: their first run, what comes then, and their key.
  std::size_t num_prepared = 0;
  std::size_t num_used = 0;  // rows of key[] that hold or held one
  alignas(64) std::uint32_t first_blocks[kRows];
  alignas(64) std::uint32_t first_then[kRows];
  alignas(64) const std::uint8_t* first[kRows];
  alignas(64) std::uint32_t key[2 * sha1::kStateWords][kRows];  // inner midstate, outer midstate

  // Inner hashes that are done, in order of completion: fewer than there are lanes, and those of a step.
  std::size_t num_finished = 0;
  alignas(64) std::uint32_t digest[sha1::kStateWords][2 * sha1::kMaxLanes];
  alignas(64) std::uint32_t finished[2 * sha1::kMaxLanes];                // positions
  alignas(64) std::uint32_t outer_h[sha1::kStateWords][sha1::kMaxLanes];  // of outer hashes
  bool schedule_used = false;  // Work::lanes.schedule holds what came of a digest
};

/// Whether this CPU can run the driver.
[[nodiscard]] bool wide_driver_usable();

/// Like run_streams() (driver.h), for a row with 8 to 32 lanes that transposes. Inner hashes may be left in
/// the queue.
std::uint64_t run_wide(Work& work, const Leg& leg);

/// Whole messages of equal length and alike, as run_alike() (driver.h). Leaves nothing in the queue.
std::uint64_t run_wide_alike(Work& work, const Leg& leg);

/// Transposes the blocks at next[], as the lane function of `backend` would, or leaves it to that.
GATE96_AVX512 void stage_blocks(sha1::LaneState& lanes, const sha1::Backend& backend);

/// Does outer hashes in groups of the leg's lanes as long as `least` or more wait in the queue. Returns their
/// number.
GATE96_AVX512 std::uint64_t finish_outer_hashes(Work& work, const Leg& leg, std::size_t least);

GATE96_AVX512 void wipe_wide(Work& work);

}  // namespace gate96::hmac
