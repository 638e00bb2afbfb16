// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/icv_queue.h"

#include <array>

#include "dataplane/sa.h"

namespace gate96 {
namespace {

/// Half of the buffers may wait, so that packets can still be received.
fpu::Deferral::Limits limits(const rte_mempool* pool) {
  return {.backlog = pool->size / 2, .in_progress = kMaxPackets};
}

fpu::SaOrder& order_of(const rte_mbuf* m) {
  const PacketInfo& p = info(m);
  return p.outbound ? p.sa->outbound_order : p.sa->inbound_order;
}

}  // namespace

IcvQueue::IcvQueue(const fpu::FpuConfig& config, const rte_mempool* pool, fpu::Counters& counters)
    : deferral_(config, limits(pool), counters) {}

bool IcvQueue::must_wait(const rte_mbuf* m, bool atomic) const {
  return deferral_.fate(order_of(m), true, atomic) == fpu::Fate::kDefer;
}

void IcvQueue::passed(const rte_mbuf* m) {
  deferral_.in_place(order_of(m));
}

void IcvQueue::add(Context& context, rte_mbuf* m) {
  switch (deferral_.defer(m, order_of(m))) {
    case fpu::Admit::kQueueFull:
      return context.end(m, Verdict::kDeferFull);
    case fpu::Admit::kBacklogFull:
      return context.end(m, Verdict::kBacklogFull);
    default:
      context.counters->ended[static_cast<std::size_t>(Verdict::kHeld)].add();
  }
}

void IcvQueue::take(PacketList& taken) {
  std::array<fpu::Taken, kMaxPackets> requests;
  const std::size_t num = deferral_.take(requests);
  for (std::size_t i = 0; i < num; ++i) {
    auto* m = static_cast<rte_mbuf*>(requests[i].packet);
    info(m).defer_slot = static_cast<std::uint16_t>(requests[i].slot);
    taken.push(m);
  }
}

void IcvQueue::complete(const rte_mbuf* m) {
  deferral_.complete(info(m).defer_slot);
}

void IcvQueue::give_back(Context& context, PacketList& inbound, PacketList& outbound) {
  std::array<fpu::HandedBack, kMaxPackets> back;
  const std::size_t num = deferral_.hand_back(back);
  context.counters->ended[static_cast<std::size_t>(Verdict::kHeld)].sub(num);
  for (std::size_t i = 0; i < num; ++i) {
    auto* m = static_cast<rte_mbuf*>(back[i].packet);
    (info(m).outbound ? outbound : inbound).push(m);
  }
}

}  // namespace gate96
