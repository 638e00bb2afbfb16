// SPDX-License-Identifier: BSD-3-Clause
// How many TSC cycles each stage of the packet path takes. Few bursts are timed, for reading the TSC at each
// stage of every burst would cost more than some stages do.
#pragma once

#include <rte_cycles.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "dataplane/counter.h"

namespace gate96 {

/// In the order of a packet's way. kPolicy: SPD, or SAD; kEsp: sizes, numbers, encapsulation, or replay
/// window, decapsulation and selectors.
enum class Stage : std::uint8_t { kReceive, kParse, kPolicy, kEsp, kIcv, kForward, kTransmit };
inline constexpr std::array<std::string_view, 7> kStageNames = {"rx",  "parse",   "policy", "esp",
                                                                "icv", "forward", "tx"};

/// One worker's. The owner thread writes, any may read.
class StageClock {
 public:
  static constexpr unsigned kEvery = 64;  // bursts, of which one is timed

  /// 1: every burst, for benchmarks.
  void time_one_in(unsigned bursts) { every_ = left_ = bursts; }

  /// Before a burst is received.
  void start() {
    running_ = --left_ == 0;
    if (!running_) [[likely]]
      return;
    left_ = every_;
    last_ = rte_rdtsc();
  }

  /// `stage` of the burst ends here.
  void lap(Stage stage) {
    if (!running_) [[likely]]
      return;
    const std::uint64_t now = rte_rdtsc();
    cycles_[static_cast<std::size_t>(stage)].add(now - last_);
    last_ = now;
  }

  /// The burst, of `num` packets, is on its way. Of none: the next one is timed in its place.
  void stop(std::uint16_t num) {
    if (!running_) [[likely]]
      return;
    running_ = false;
    if (num == 0) left_ = 1;
    packets_.add(num);
  }

  [[nodiscard]] std::uint64_t cycles(Stage stage) const {
    return cycles_[static_cast<std::size_t>(stage)].get();
  }
  /// Packets of the bursts that were timed.
  [[nodiscard]] std::uint64_t packets() const { return packets_.get(); }

 private:
  unsigned every_ = kEvery;
  unsigned left_ = kEvery;
  bool running_ = false;
  std::uint64_t last_ = 0;
  Counter packets_;
  std::array<Counter, kStageNames.size()> cycles_;
};

}  // namespace gate96
