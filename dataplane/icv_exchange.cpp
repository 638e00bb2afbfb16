// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/icv_exchange.h"

#include <cstdio>
#include <cstdlib>

namespace gate96 {
namespace {

constexpr unsigned kRingSize =
    2 * IcvExchange::kMaxInFlight;  // a power of two, of which one place stays empty
static_assert((kRingSize & (kRingSize - 1)) == 0);

void put(rte_ring& ring, const PacketList& packets) {
  if (rte_ring_sp_enqueue_bulk(&ring, reinterpret_cast<void* const*>(packets.packets), packets.num,
                               nullptr) == packets.num) [[likely]]
    return;
  std::fprintf(stderr, "gate96: %s is full: more deferred packets are away than their owner may send\n",
               ring.name);
  std::abort();
}

unsigned get(rte_ring& ring, PacketList& packets, unsigned max) {
  const unsigned num =
      rte_ring_sc_dequeue_burst(&ring, reinterpret_cast<void**>(packets.packets + packets.num), max, nullptr);
  packets.num = static_cast<std::uint16_t>(packets.num + num);
  return num;
}

}  // namespace

IcvExchange::IcvExchange(unsigned num_workers)
    : num_workers_(num_workers),
      requests_("icv-request", num_workers, sizeof(void*), kRingSize),
      answers_("icv-answer", num_workers, sizeof(void*), kRingSize),
      asked_(num_workers),
      served_(num_workers) {}

void IcvExchange::ask_another(unsigned owner, const PacketList& packets) {
  unsigned& next = asked_[owner].next;
  next = next % (num_workers_ - 1) + 1;
  put(requests_.between(owner, (owner + next) % num_workers_), packets);
}

bool IcvExchange::requests(unsigned worker, PacketList& packets, unsigned max, unsigned& owner) {
  unsigned& next = served_[worker].next;
  for (unsigned i = 1; i < num_workers_; ++i) {
    next = next % (num_workers_ - 1) + 1;
    owner = (worker + next) % num_workers_;
    if (get(requests_.between(owner, worker), packets, max) > 0) return true;
  }
  return false;
}

void IcvExchange::answer(unsigned worker, unsigned owner, const PacketList& packets) {
  put(answers_.between(worker, owner), packets);
}

void IcvExchange::answers(unsigned owner, PacketList& packets) {
  for (unsigned worker = 0; worker < num_workers_; ++worker) {
    if (worker != owner) get(answers_.between(worker, owner), packets, kMaxPackets - packets.num);
  }
}

}  // namespace gate96
