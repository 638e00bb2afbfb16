// SPDX-License-Identifier: BSD-3-Clause
// The ICV stage: ESP packets of any SAs get their ICVs written or checked, now or, where the FPU policy says
// so, later.
//
//   settle   keeps the packets that are settled; others go to the queue
//   drain    settles queued ones, and gives them back in order
#pragma once

#include <memory>

#include "dataplane/context.h"
#include "dataplane/icv_exchange.h"
#include "dataplane/icv_hash.h"
#include "dataplane/icv_queue.h"

namespace gate96 {

class IcvStage {
 public:
  /// `exchange`: where deferred packets go to be hashed by other workers; null: this worker hashes its own.
  IcvStage(const Config& config, const rte_mempool* pool, unsigned worker, IcvExchange* exchange);

  /// Outbound: writes the ICV over the last 12 bytes of each packet. Inbound: notes in info(m).icv_good
  /// whether they are the ICV; decapsulation drops those that are not.
  void settle(Context& context, PacketList& list);

  /// Own packets wait for drain(), or are away to be hashed.
  [[nodiscard]] bool has_queued() const { return queue_ != nullptr && queue_->num_held() > 0; }

  /// drain() is due: for own packets, or because others may ask.
  [[nodiscard]] bool may_drain() const { return exchange_ != nullptr || has_queued(); }

  /// One drain: hashes at most defer_budget packets, of the own queue or of another worker, and sends as many
  /// of the own ones away. `inbound` and `outbound` get those that come back, settled; both must be empty.
  /// False: there was nothing to do.
  bool drain(Context& context, PacketList& inbound, PacketList& outbound);

  /// This worker stops, and has nothing queued any more. Others may still ask, until all_stop().
  void stop();
  [[nodiscard]] bool all_stop() const { return exchange_ == nullptr || exchange_->all_leave(); }

  [[nodiscard]] fpu::Context& fpu() { return hash_.fpu(); }
  [[nodiscard]] const fpu::Context& fpu() const { return hash_.fpu(); }
  [[nodiscard]] const hmac::Burst& engine() const { return hash_.engine(); }

 private:
  void settle_or_queue(Context& context, PacketList& list);
  void settle_as_kthread(PacketList& list);
  bool serve_another(unsigned worker);
  bool drain_here();
  bool drain_elsewhere(unsigned worker);

  IcvHash hash_;
  std::unique_ptr<IcvQueue> queue_;  // fallback = "defer" only
  IcvExchange* exchange_;
  fpu::Ask ask_;
  unsigned budget_;
};

}  // namespace gate96
