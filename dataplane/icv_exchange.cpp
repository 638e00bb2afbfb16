// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/icv_exchange.h"

#include <fmt/format.h>
#include <rte_errno.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace gate96 {
namespace {

constexpr unsigned kRingSize =
    2 * IcvExchange::kMaxInFlight;  // a power of two, of which one place stays empty
static_assert((kRingSize & (kRingSize - 1)) == 0);

rte_ring* make_ring(const char* kind) {
  static std::atomic<unsigned> serial{0};
  const std::string name = fmt::format("{}{}", kind, serial.fetch_add(1));
  rte_ring* ring = rte_ring_create(name.c_str(), kRingSize, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
  if (ring == nullptr) {
    throw std::runtime_error(
        fmt::format("rings for deferred packets: {}; raise eal.memory_mb", rte_strerror(rte_errno)));
  }
  return ring;
}

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
    : num_workers_(num_workers), asked_(num_workers), served_(num_workers) {
  for (unsigned from = 0; from < num_workers; ++from) {
    for (unsigned to = 0; to < num_workers; ++to) {
      requests_.emplace_back(from == to ? nullptr : make_ring("icv-request"));
      answers_.emplace_back(from == to ? nullptr : make_ring("icv-answer"));
    }
  }
}

void IcvExchange::ask_another(unsigned owner, const PacketList& packets) {
  unsigned& next = asked_[owner].next;
  next = next % (num_workers_ - 1) + 1;
  put(between(requests_, owner, (owner + next) % num_workers_), packets);
}

bool IcvExchange::requests(unsigned worker, PacketList& packets, unsigned max, unsigned& owner) {
  unsigned& next = served_[worker].next;
  for (unsigned i = 1; i < num_workers_; ++i) {
    next = next % (num_workers_ - 1) + 1;
    owner = (worker + next) % num_workers_;
    if (get(between(requests_, owner, worker), packets, max) > 0) return true;
  }
  return false;
}

void IcvExchange::answer(unsigned worker, unsigned owner, const PacketList& packets) {
  put(between(answers_, worker, owner), packets);
}

void IcvExchange::answers(unsigned owner, PacketList& packets) {
  for (unsigned worker = 0; worker < num_workers_; ++worker) {
    if (worker != owner) get(between(answers_, worker, owner), packets, kMaxPackets - packets.num);
  }
}

}  // namespace gate96
