// SPDX-License-Identifier: BSD-3-Clause
// How full the lanes were. Written by the one thread that runs the burst, readable from any.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "sha1/state.h"

namespace gate96::hmac {

inline constexpr std::size_t kMaxBackends = 32;  // rows of the backend table

class Telemetry {
 public:
  /// `num_blocks` blocks in each of `in_use` lanes of row `backend` of the table.
  void count(std::size_t backend, std::size_t in_use, std::uint64_t num_blocks) {
    auto& counter = steps_[backend][in_use];
    counter.store(counter.load(std::memory_order_relaxed) + num_blocks, std::memory_order_relaxed);
  }

  /// Times that row `backend` absorbed a block in each of `in_use` (1..16) lanes at once.
  [[nodiscard]] std::uint64_t steps(std::size_t backend, std::size_t in_use) const {
    return steps_[backend][in_use].load(std::memory_order_relaxed);
  }

  /// Blocks of messages, padding and outer hashes that row `backend` absorbed.
  [[nodiscard]] std::uint64_t blocks(std::size_t backend) const;

  /// Blocks that row `backend`, having `num_lanes`, could have absorbed besides: lanes that ran idle.
  [[nodiscard]] std::uint64_t wasted(std::size_t backend, std::size_t num_lanes) const;

 private:
  std::array<std::array<std::atomic<std::uint64_t>, sha1::kMaxLanes + 1>, kMaxBackends> steps_{};
};

}  // namespace gate96::hmac
