// SPDX-License-Identifier: BSD-3-Clause
// What `show fpu` shows. One worker writes, any thread reads: relaxed loads and stores, no locked
// instruction.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "fpu/verdicts.h"

namespace gate96::fpu {

/// A count with one writer. A reader sees a value that was true a moment ago; sums over several counters are
/// exact only while the writer rests.
class Counter {
 public:
  void add(std::uint64_t amount) { set(get() + amount); }
  void raise_to(std::uint64_t value) {
    if (value > get()) set(value);
  }
  void set(std::uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

struct Counters {
  Counter asks;
  std::array<Counter, kNumRefusals> refusals;  // by Refusal; [kGranted] stays 0
  std::array<Counter, kNumViolations> violations;

  Counter sections;
  Counter section_bytes_max;  // the largest section
  Counter section_ns_max;     // the longest: preemption was off for so long; not timed under plain `always`
  Counter simd_bytes;         // hashed inside sections
  Counter scalar_bytes;       // hashed outside

  Counter saves;
  Counter restores;
  Counter state_bytes;  // moved by them, by the size of the components
  Counter state_ticks;  // TSC ticks spent in them (save_cost = "real" only)

  Counter arrivals;
  Counter switches;          // of the modelled CPU between tasks
  Counter foreign_sections;  // opened by an interrupted task
  Counter waited;            // arrivals held up until such a section had ended (linux-6.15)
  Counter waited_ns;

  Counter queue_depth;  // requests waiting now
  Counter queue_high;   // their high water
  Counter deferred;
  Counter backlogged;        // of these, taken above the limit
  Counter overflow;          // dropped: queue full
  Counter backlog_overflow;  // dropped: backlog full
  Counter drains;
  Counter drained;    // requests handed back
  Counter reordered;  // handed back after a later packet of the same SA

  [[nodiscard]] std::uint64_t grants() const {
    std::uint64_t refused = 0;
    for (const Counter& counter : refusals) refused += counter.get();
    return asks.get() - refused;
  }
};

}  // namespace gate96::fpu
