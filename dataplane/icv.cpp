// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/icv.h"

namespace gate96 {

IcvStage::IcvStage(const Config& config, const rte_mempool* pool, unsigned worker, IcvExchange* exchange)
    : hash_(config, worker), exchange_(exchange), ask_(config.fpu.ask), budget_(config.fpu.defer_budget) {
  if (config.fpu.fallback == fpu::Fallback::kDefer) {
    queue_ = std::make_unique<IcvQueue>(config.fpu, pool, hash_.fpu().counters());
  }
}

void IcvStage::settle(Context& context, PacketList& list) {
  if (list.num == 0) return;
  if (queue_ == nullptr) [[likely]]
    return hash_.settle({list.packets, list.num});
  if (ask_ == fpu::Ask::kBurst) return settle_or_queue(context, list);
  PacketList settled;
  for (rte_mbuf* m : list) {
    PacketList one;
    one.push(m);
    settle_or_queue(context, one);
    if (one.num > 0) settled.push(m);
  }
  list = settled;
}

/// One question for the whole list. Keeps what is settled.
void IcvStage::settle_or_queue(Context& context, PacketList& list) {
  PacketList now;
  PacketList later;
  const bool atomic = hash_.fpu().atomic();
  for (rte_mbuf* m : list) (queue_->must_wait(m, atomic) ? later : now).push(m);
  if (now.num == 0 || hash_.settle_if_granted({now.packets, now.num})) {
    for (rte_mbuf* m : now) queue_->passed(m);
    for (rte_mbuf* m : later) queue_->add(context, m);
    list = now;
  } else {
    for (rte_mbuf* m : list) queue_->add(context, m);  // in the order of arrival
    list.num = 0;
  }
}

/// A switch to a kernel thread, one question, one engine call, and back.
void IcvStage::settle_as_kthread(PacketList& list) {
  const fpu::Drain kthread(hash_.fpu());
  hash_.settle_together({list.packets, list.num});
}

bool IcvStage::serve_another(unsigned worker) {
  PacketList asked;
  unsigned owner = 0;
  if (!exchange_->requests(worker, asked, budget_, owner)) return false;
  settle_as_kthread(asked);
  exchange_->answer(worker, owner, asked);
  return true;
}

bool IcvStage::drain_here() {
  PacketList taken;
  queue_->take(taken);
  if (taken.num == 0) return false;
  settle_as_kthread(taken);
  for (rte_mbuf* m : taken) queue_->complete(m);
  return true;
}

bool IcvStage::drain_elsewhere(unsigned worker) {
  const bool served = serve_another(worker);
  PacketList taken;
  queue_->take(taken);
  if (taken.num > 0) exchange_->ask_another(worker, taken);
  PacketList back;
  exchange_->answers(worker, back);
  for (rte_mbuf* m : back) queue_->complete(m);
  return served || taken.num > 0 || back.num > 0;
}

bool IcvStage::drain(Context& context, PacketList& inbound, PacketList& outbound) {
  const bool any = exchange_ == nullptr ? drain_here() : drain_elsewhere(context.worker);
  queue_->give_back(context, inbound, outbound);
  return any;
}

void IcvStage::stop() {
  if (exchange_ != nullptr) exchange_->leave();
}

}  // namespace gate96
