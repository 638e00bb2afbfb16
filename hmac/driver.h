// SPDX-License-Identifier: BSD-3-Clause
// The drivers: each keeps the lanes of one backend filled with the streams of a burst.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hmac/choice.h"
#include "hmac/telemetry.h"
#include "hmac/work.h"
#include "sha1/backends.h"
#include "sha1/wipe.h"

namespace gate96::hmac {

/// One leg of a run: a backend and when to stop with it.
struct Leg {
  std::size_t row;               // of the backend in the table
  const sha1::Backend* backend;  // the same
  std::uint64_t max_blocks;      // over all lanes; at least one block a lane is absorbed
  std::size_t floor;  // once nothing waits and this many streams or fewer are left, another backend is better
  const BackendChoice* choice;  // which says so
  Length length;
  Telemetry* telemetry;
};

/// The only message of a burst, if it lies in one piece, the row for it has one lane, and the budget has room
/// for all of it. Returns the blocks absorbed, or 0.
std::uint64_t run_alone(Work& work, const BackendChoice& choice, std::uint64_t max_blocks,
                        Telemetry& telemetry);

/// Whole messages that are alike, in as many lanes as the backend has, for as long as the next ones in order
/// are that and the budget has room for them. Returns the blocks absorbed.
std::uint64_t run_alike(Work& work, const Leg& leg);

/// Wipes the states of at least `num_lanes` lanes, by a length that the compiler knows.
inline void wipe_states(sha1::LaneState& lanes, std::size_t num_lanes) {
  constexpr std::size_t kFewLanes = 4;
  for (auto& row : lanes.h)
    num_lanes <= kFewLanes ? wipe(row, kFewLanes * sizeof row[0]) : wipe(row, sizeof row);
}

/// Makes the outer hash of the inner digest `h`, on a backend with one lane. `slot` is free for it to use.
void run_outer(const sha1::Backend& backend, const Key& key, Slot& slot, sha1::State& h);

/// For any backend. Streams that are not done are put back in `work`. Returns the blocks absorbed.
std::uint64_t run_streams(Work& work, const Leg& leg);

}  // namespace gate96::hmac
