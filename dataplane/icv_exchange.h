// SPDX-License-Identifier: BSD-3-Clause
// fpu.defer_to = "lcores": workers hash each other's deferred packets. The owner of an SA keeps its packets
// in its own queue and order (IcvQueue); only the hashing is done elsewhere, as pcrypt spreads requests.
//
//   owner:   ask_another() -> ... -> answers()
//   another: requests() -> hash -> answer()
//
// The rings cannot be full: an owner has at most kMaxInFlight packets away.
#pragma once

#include <rte_mbuf.h>

#include <atomic>
#include <vector>

#include "dataplane/packet.h"
#include "dataplane/worker_rings.h"

namespace gate96 {

class IcvExchange {
 public:
  static constexpr unsigned kMaxInFlight = kMaxPackets;

  /// Of at least 2 workers. Throws std::runtime_error if there is no memory for the rings.
  explicit IcvExchange(unsigned num_workers);
  IcvExchange(const IcvExchange&) = delete;
  IcvExchange& operator=(const IcvExchange&) = delete;

  /// Gives `packets` of `owner` to the other workers, a list to each in turn.
  void ask_another(unsigned owner, const PacketList& packets);

  /// Packets that some other worker wants `worker` to hash, at most `max`; whose they are in `owner`.
  /// `packets` is empty. False: none.
  [[nodiscard]] bool requests(unsigned worker, PacketList& packets, unsigned max, unsigned& owner);

  /// `worker` has hashed `packets` for `owner`.
  void answer(unsigned worker, unsigned owner, const PacketList& packets);

  /// Packets of `owner` that others have hashed, as many as `packets`, which is empty, can hold.
  void answers(unsigned owner, PacketList& packets);

  /// `worker`, which stops, has nothing away any more. It goes on with requests() until all have come so far.
  void leave() { num_leaving_.fetch_add(1, std::memory_order_acq_rel); }
  [[nodiscard]] bool all_leave() const {
    return num_leaving_.load(std::memory_order_acquire) == num_workers_;
  }

 private:
  /// A worker's own place among the others': written by it alone.
  struct alignas(RTE_CACHE_LINE_SIZE) Turn {
    unsigned next = 0;
  };

  unsigned num_workers_;
  WorkerRings requests_;
  WorkerRings answers_;
  std::vector<Turn> asked_;   // whom a worker asked last, less itself
  std::vector<Turn> served_;  // whose requests it looked at last
  std::atomic<unsigned> num_leaving_{0};
};

}  // namespace gate96
