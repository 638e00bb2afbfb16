// SPDX-License-Identifier: BSD-3-Clause
// Where a worker's cycles go: TSC cycles and packets of each stage, of a sample of the bursts.
#pragma once

#include <rte_cycles.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dataplane/counter.h"

namespace gate96 {

/// In packet order. Lookup: policy, or SA and replay pre-check. ESP: headers, trailers, numbers, selectors.
enum class Stage : std::uint8_t { kReceive, kParse, kLookup, kEsp, kIcv, kForward, kTransmit };

inline constexpr std::size_t kNumStages = 7;
inline constexpr std::array<std::string_view, kNumStages> kStageNames = {
    "receive", "parse", "lookup", "esp", "icv", "forward", "transmit"};

/// Written by its worker, readable from any thread. A lap of a burst that is not in the sample is one
/// predictable branch; one in the sample reads the TSC (about 20 cycles).
class StageClock {
 public:
  struct Lap {
    Counter cycles, packets;
  };

  /// Times one burst in `every`.
  explicit StageClock(unsigned every) : every_(every) {}

  /// Before a burst is received. An empty poll uses no turn up.
  void begin() {
    running_ = num_until_ == 0;
    if (running_) [[unlikely]]
      last_ = rte_rdtsc();
  }

  /// `stage` is over for `num` packets.
  void lap(Stage stage, unsigned num) {
    if (running_) [[unlikely]]
      note(stage, num);
  }

  /// The burst is over.
  void end(unsigned num) {
    lap(Stage::kTransmit, num);
    running_ = false;
    num_until_ = num_until_ == 0 ? every_ - 1 : num_until_ - 1;
  }

  [[nodiscard]] const Lap& of(Stage stage) const { return laps_[static_cast<std::size_t>(stage)]; }

 private:
  void note(Stage stage, unsigned num) {
    const std::uint64_t now = rte_rdtsc();
    Lap& lap = laps_[static_cast<std::size_t>(stage)];
    lap.cycles.add(now - last_);
    lap.packets.add(num);
    last_ = now;
  }

  std::array<Lap, kNumStages> laps_{};
  std::uint64_t last_ = 0;
  unsigned every_;
  unsigned num_until_ = 0;  // bursts before the next that is timed
  bool running_ = false;
};

}  // namespace gate96
