// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/handover.h"

#include <fmt/format.h>
#include <rte_errno.h>
#include <rte_ring_elem.h>

#include <atomic>
#include <stdexcept>

#include "dataplane/context.h"
#include "dataplane/sa.h"

namespace gate96 {
namespace {

/// What rte_ring copies: a multiple of 4 bytes.
constexpr unsigned kLessonSize = 28;
static_assert(sizeof(Lesson) <= kLessonSize && kLessonSize % 4 == 0);

rte_ring* make_ring(const char* kind, unsigned element_size, unsigned num) {
  static std::atomic<unsigned> serial{0};
  const std::string name = fmt::format("{}{}", kind, serial.fetch_add(1));
  rte_ring* ring =
      rte_ring_create_elem(name.c_str(), element_size, num, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
  if (ring == nullptr) {
    throw std::runtime_error(
        fmt::format("rings between workers: {}; raise eal.memory_mb", rte_strerror(rte_errno)));
  }
  return ring;
}

/// Gives all of `batch`; what finds no room is dropped.
void give_all(Context& context, PacketList& batch, unsigned to) {
  Counter& held = context.counters->ended[static_cast<std::size_t>(Verdict::kHeld)];
  held.add(batch.num);  // before the owner can take them and count down
  const unsigned given = context.handover->give(context.worker, to, batch.packets, batch.num);
  context.counters->handed_over.add(given);
  held.sub(batch.num - given);
  for (unsigned i = given; i < batch.num; ++i) context.end(batch.packets[i], Verdict::kHandoverFull);
  batch.num = 0;
}

}  // namespace

Handover::Handover(unsigned num_workers) : num_workers_(num_workers) {
  for (unsigned from = 0; from < num_workers; ++from) {
    for (unsigned to = 0; to < num_workers; ++to) {
      packets_.emplace_back(from == to ? nullptr : make_ring("handover", sizeof(void*), kRingSize));
      lessons_.emplace_back(from == to ? nullptr : make_ring("lessons", kLessonSize, kNumLessons));
    }
  }
}

Handover::~Handover() {
  for (const Ring& ring : packets_) {
    void* m = nullptr;
    while (ring && rte_ring_sc_dequeue(ring.get(), &m) == 0) rte_pktmbuf_free(static_cast<rte_mbuf*>(m));
  }
}

unsigned Handover::give(unsigned from, unsigned to, rte_mbuf** packets, unsigned num) {
  return rte_ring_sp_enqueue_burst(between(packets_, from, to), reinterpret_cast<void**>(packets), num,
                                   nullptr);
}

unsigned Handover::take(unsigned to, rte_mbuf** packets, unsigned max) {
  unsigned num = 0;
  for (unsigned from = 0; from < num_workers_ && num < max; ++from) {
    if (from == to) continue;
    num += rte_ring_sc_dequeue_burst(between(packets_, from, to), reinterpret_cast<void**>(packets + num),
                                     max - num, nullptr);
  }
  return num;
}

void Handover::tell(unsigned from, const Lesson& lesson) {
  std::uint8_t bytes[kLessonSize] = {};
  std::memcpy(bytes, &lesson, sizeof lesson);
  for (unsigned to = 0; to < num_workers_; ++to) {
    if (to != from) rte_ring_sp_enqueue_elem(between(lessons_, from, to), bytes, kLessonSize);
  }
}

bool Handover::hear(unsigned to, Lesson& lesson) {
  std::uint8_t bytes[kLessonSize];
  for (unsigned from = 0; from < num_workers_; ++from) {
    if (from == to || rte_ring_sc_dequeue_elem(between(lessons_, from, to), bytes, kLessonSize) != 0)
      continue;
    std::memcpy(&lesson, bytes, sizeof lesson);
    return true;
  }
  return false;
}

bool owns(const Context& context, const Sa& sa) {
  return context.handover == nullptr || sa.spi % context.handover->num_workers() == context.worker;
}

void pass_to_owners(Context& context, PacketList& list, Handed way) {
  if (context.handover == nullptr) return;
  const unsigned num_workers = context.handover->num_workers();
  PacketList others;
  std::uint16_t kept = 0;
  for (rte_mbuf* m : list) {
    (info(m).sa->spi % num_workers == context.worker ? list.packets[kept++] : others.packets[others.num++]) =
        m;
  }
  list.num = kept;
  while (others.num > 0) {
    const unsigned owner = info(others.packets[0]).sa->spi % num_workers;
    PacketList batch;
    std::uint16_t left = 0;
    for (rte_mbuf* m : others) {
      if (info(m).sa->spi % num_workers == owner) {
        info(m).handed = way;
        info(m).generation = context.tables->generation;
        batch.push(m);
      } else {
        others.packets[left++] = m;
      }
    }
    others.num = left;
    give_all(context, batch, owner);
  }
}

void pass_to_sender(Context& context, PacketList& frames, std::uint8_t port, unsigned sender) {
  for (rte_mbuf* m : frames) {
    info(m).handed = Handed::kFrame;
    info(m).port = port;
  }
  give_all(context, frames, sender);
}

}  // namespace gate96
