// SPDX-License-Identifier: BSD-3-Clause
// The world around a worker: tasks that come and go on the modelled CPU, and interrupts that bring the
// packets.
#pragma once

#include <array>
#include <cstdint>

#include "fpu/machine.h"
#include "fpu/registers.h"
#include "fpu/settings.h"
#include "fpu/stream.h"

namespace gate96::fpu {

/// State persists from one arrival to the next; only what the drawn script changes is changed.
class World {
 public:
  World(const FpuConfig& config, unsigned worker, Counters& counters);

  /// Plays one draw up to the place where the packets are worked on.
  void arrive(std::uint64_t now_ns);
  void depart();

  void drain_begin();
  void drain_end();

  [[nodiscard]] Machine& machine() { return machine_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }
  [[nodiscard]] const Draw& last_draw() const { return draw_; }
  /// True once for the share simd_off_rate of its calls.
  [[nodiscard]] bool simd_is_off() { return off_rate_ > 0 && off_random_.chance(off_rate_); }

  void set_backend(Width width, Halves halves);
  [[nodiscard]] Halves halves() const { return halves_; }

  void section_begins();
  void section_ends();

 private:
  static constexpr unsigned kNumUsers = 4;
  static constexpr unsigned kNumKthreads = 3;

  void switch_if_due(std::uint64_t now_ns);
  void run_user(bool live);
  void interrupt(Interrupted from);
  void interrupt_kernel();
  void wait_for_section();
  void switch_to(Task& task);
  [[nodiscard]] Task& user() { return users_[user_]; }

  Counters& counters_;
  std::array<Task, kNumUsers> users_{};
  Task idle_, ksoftirqd_, kworker_;
  Task* drained_ = nullptr;  // who ran before the drain
  unsigned user_ = 0;        // the user task whose turn it is
  Registers registers_;
  Machine machine_;
  Stream stream_;
  Random off_random_;
  double off_rate_;
  double switches_per_ns_;
  std::uint64_t switched_at_ns_ = 0;
  std::uint32_t section_ns_;
  Halves halves_ = Halves::kBoth;

  Draw draw_{};
  bool arrived_ = false;
  bool interrupted_ = false;  // an interrupt is open under the softirq
  bool foreign_section_ = false;
  std::uint64_t section_start_ = 0;  // ticks
};

}  // namespace gate96::fpu
