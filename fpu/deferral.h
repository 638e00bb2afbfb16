// SPDX-License-Identifier: BSD-3-Clause
// Deferred packets of one worker, as the kernel's cryptd keeps requests per CPU: a bounded queue, work taken
// off it in drains, and results handed back. Knows packets only as handles; one thread; allocates only in its
// constructor.
//
//   fate() -> kInPlace: compute now, then in_place()
//          -> kDefer:   defer(), or drop by the named reason
//   drain:  take() -> compute (here, or on another worker) -> complete() each -> hand_back()
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fpu/counters.h"
#include "fpu/order.h"
#include "fpu/settings.h"

namespace gate96::fpu {

enum class Admit : std::uint8_t {
  kQueued,
  kBacklogged,   // above the limit, completed later all the same
  kQueueFull,    // not taken: the kernel's -ENOSPC
  kBacklogFull,  // not taken: out of buffers
};

/// A request taken off the queue, to be computed. `slot` names it when it comes back.
struct Taken {
  void* packet;
  std::uint32_t slot;
};

/// A request handed back. No SA: it was deleted meanwhile, and the packet is to be dropped.
struct HandedBack {
  void* packet;
  SaOrder* sa;
};

class Deferral {
 public:
  struct Limits {
    unsigned backlog = 0;        // requests above queue_limit, if the configuration allows a backlog
    unsigned in_progress = 256;  // taken and not yet handed back; at least defer_budget
  };

  /// Precondition: check(config) is empty. Both references outlive this.
  Deferral(const FpuConfig& config, const Limits& limits, Counters& counters);

  [[nodiscard]] Fate fate(const SaOrder& sa, bool granted, bool atomic) const {
    return fate_of(order_, sa, granted, atomic);
  }

  /// A packet that was computed in place goes on its way.
  void in_place(SaOrder& sa);

  /// Takes a packet up, in order of arrival. `sa` stays valid until hand_back() or forget().
  [[nodiscard]] Admit defer(void* packet, SaOrder& sa);

  /// The oldest waiting requests, at most defer_budget, out.size(), or what in_progress leaves room for.
  [[nodiscard]] std::size_t take(std::span<Taken> out);

  /// A taken request has been computed. Any order.
  void complete(std::uint32_t slot);

  /// Completed requests, in the order that they were deferred in (order = "none": in which they were
  /// completed). Returns how many; call until 0.
  [[nodiscard]] std::size_t hand_back(std::span<HandedBack> out);

  /// `sa` goes away: its waiting packets are written to `out` for dropping, at most out.size(); call until 0.
  /// Those in progress come back without an SA.
  [[nodiscard]] std::size_t forget(SaOrder& sa, std::span<void*> out);

  [[nodiscard]] std::size_t num_waiting() const { return num_waiting_; }
  /// Packets that are in here, waiting, in progress or completed: `held` in the accounting of packets.
  [[nodiscard]] std::size_t num_held() const { return num_waiting_ + (slots_.size() - free_.size()); }

 private:
  struct Request {
    void* packet = nullptr;
    SaOrder* sa = nullptr;
    std::uint64_t number = 0;
    bool completed = false;
  };

  [[nodiscard]] Request& waiting_at(std::size_t index) { return queue_[(head_ + index) % queue_.size()]; }
  void goes_out(SaOrder& sa, std::uint64_t number);
  void depth_changed();

  Order order_;
  std::size_t limit_;
  std::size_t budget_;
  Counters& counters_;

  std::vector<Request> queue_;  // a ring: limit and backlog
  std::size_t head_ = 0;
  std::size_t num_waiting_ = 0;

  std::vector<Request> slots_;       // in progress
  std::vector<std::uint32_t> free_;  // slots that are not
  std::vector<std::uint32_t> line_;  // a ring of slots, in the order in which they are handed back
  std::size_t line_head_ = 0;
  std::size_t line_len_ = 0;
};

}  // namespace gate96::fpu
