// SPDX-License-Identifier: BSD-3-Clause
// The ICV stage: ESP packets of any SAs get their ICVs written or checked, now or, where the FPU policy says
// so, later.
//
//   seal, verify   keep the packets that are settled; others go to the queue
//   drain          settles queued ones, and gives them back in order
#pragma once

#include <memory>

#include "dataplane/context.h"
#include "dataplane/icv_hash.h"
#include "dataplane/icv_queue.h"

namespace gate96 {

class IcvStage {
 public:
  explicit IcvStage(const Config& config, const rte_mempool* pool, unsigned worker = 0);

  /// Outbound: writes the ICV over the last 12 bytes of each packet.
  void seal(Context& context, PacketList& list);

  /// Inbound: drops those whose last 12 bytes are not the ICV.
  void verify(Context& context, PacketList& list);

  /// Packets wait for drain().
  [[nodiscard]] bool has_queued() const { return queue_ != nullptr && queue_->num_held() > 0; }

  /// One drain: settles at most defer_budget queued packets. `inbound` and `outbound` get those that come
  /// back; both must be empty.
  void drain(Context& context, PacketList& inbound, PacketList& outbound);

  [[nodiscard]] fpu::Context& fpu() { return hash_.fpu(); }
  [[nodiscard]] const fpu::Context& fpu() const { return hash_.fpu(); }
  [[nodiscard]] const hmac::Burst& engine() const { return hash_.engine(); }

 private:
  void settle(Context& context, PacketList& list);
  void settle_or_queue(Context& context, PacketList& list);

  IcvHash hash_;
  std::unique_ptr<IcvQueue> queue_;  // fallback = "defer" only
  fpu::Ask ask_;
};

}  // namespace gate96
