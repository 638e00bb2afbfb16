// SPDX-License-Identifier: BSD-3-Clause
// The packets of one worker whose ICVs are deferred: fpu/deferral.h with mbufs. A packet in here is `held`.
#pragma once

#include <rte_mempool.h>

#include "dataplane/context.h"
#include "fpu/deferral.h"

namespace gate96 {

class IcvQueue {
 public:
  /// `pool`: where packets come from; it bounds the backlog. `counters` outlive this.
  IcvQueue(const fpu::FpuConfig& config, const rte_mempool* pool, fpu::Counters& counters);

  /// Although vector code is granted, `m` must not overtake what its SA has in here.
  [[nodiscard]] bool must_wait(const rte_mbuf* m, bool atomic) const;

  /// `m` is settled and goes on its way without having been in here.
  void passed(const rte_mbuf* m);

  /// Holds `m`, or ends it if the queue is full.
  void add(Context& context, rte_mbuf* m);

  /// The oldest that wait, at most defer_budget. `taken` is empty.
  void take(PacketList& taken);

  /// A taken packet is settled.
  void complete(const rte_mbuf* m);

  /// Completed packets, in order; they are held no longer. Both lists are empty.
  void give_back(Context& context, PacketList& inbound, PacketList& outbound);

  [[nodiscard]] std::size_t num_held() const { return deferral_.num_held(); }

 private:
  fpu::Deferral deferral_;
};

}  // namespace gate96
