// SPDX-License-Identifier: BSD-3-Clause
// Rings between the workers of one gateway. Each SA has one owner, so that its sequence numbers and its
// replay window have one writer: SPI modulo the number of workers. A packet that a queue gave to another
// worker goes to the owner, before a number is taken or checked. What one worker learns of neighbours it
// tells the others.
#pragma once

#include <rte_mbuf.h>

#include <vector>

#include "dataplane/address.h"
#include "dataplane/packet.h"
#include "dataplane/worker_rings.h"

namespace gate96 {

struct Context;
struct Sa;

/// What a worker has heard from a neighbour.
struct Lesson {
  IpAddress address;
  MacAddress mac;
  std::uint8_t port = 0;
  bool create = false;  // see NeighbourTable::learn
};

class Handover {
 public:
  static constexpr unsigned kRingSize = 4096;   // packets, from one worker to another
  static constexpr unsigned kNumLessons = 256;  // likewise; a lesson that is lost is asked for again

  /// Throws std::runtime_error if there is no memory for the rings.
  explicit Handover(unsigned num_workers);
  ~Handover();  // frees the packets that are left in the rings
  Handover(const Handover&) = delete;
  Handover& operator=(const Handover&) = delete;

  [[nodiscard]] unsigned num_workers() const { return packets_.num_workers(); }

  /// Takes over the first k of `num` packets for worker `to` and returns k. Called by worker `from` only.
  [[nodiscard]] unsigned give(unsigned from, unsigned to, rte_mbuf** packets, unsigned num);

  /// Up to `max` packets for worker `to`, of another worker first at each call. Called by it only.
  [[nodiscard]] unsigned take(unsigned to, rte_mbuf** packets, unsigned max);

  void tell(unsigned from, const Lesson& lesson);
  [[nodiscard]] bool hear(unsigned to, Lesson& lesson);

 private:
  /// A worker's own place among the others': written by it alone.
  struct alignas(RTE_CACHE_LINE_SIZE) Turn {
    unsigned first = 0;
  };

  WorkerRings packets_;
  WorkerRings lessons_;
  std::vector<Turn> turns_;  // from whom a worker takes first
};

/// Whether the worker is the one that writes the SA's numbers and window.
[[nodiscard]] bool owns(const Context& context, const Sa& sa);

/// Keeps the packets whose SA (info(m).sa) the worker owns and hands the others over, held until their owner
/// takes them. `way`: kInbound or kOutbound.
void pass_to_owners(Context& context, PacketList& list, Handed way);

/// Hands finished frames for `port` to the worker that may use the port's transmit queue.
void pass_to_sender(Context& context, PacketList& frames, std::uint8_t port, unsigned sender);

}  // namespace gate96
