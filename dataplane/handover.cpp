// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/handover.h"

#include <rte_ring_elem.h>

#include <cstring>

#include "dataplane/context.h"
#include "dataplane/sa.h"

namespace gate96 {
namespace {

/// What rte_ring copies: a multiple of 4 bytes.
constexpr unsigned kLessonSize = 28;
static_assert(sizeof(Lesson) <= kLessonSize && kLessonSize % 4 == 0);

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

Handover::Handover(unsigned num_workers)
    : packets_("handover", num_workers, sizeof(void*), kRingSize),
      lessons_("lessons", num_workers, kLessonSize, kNumLessons),
      turns_(num_workers) {}

Handover::~Handover() {
  for (unsigned to = 0; to < num_workers(); ++to) {
    rte_mbuf* m = nullptr;
    while (take(to, &m, 1) > 0) rte_pktmbuf_free(m);
  }
}

unsigned Handover::give(unsigned from, unsigned to, rte_mbuf** packets, unsigned num) {
  return rte_ring_sp_enqueue_burst(&packets_.between(from, to), reinterpret_cast<void**>(packets), num,
                                   nullptr);
}

unsigned Handover::take(unsigned to, rte_mbuf** packets, unsigned max) {
  unsigned num = 0;
  const unsigned first = turns_[to].first;
  turns_[to].first = first + 1 == num_workers() ? 0 : first + 1;
  for (unsigned i = 0; i < num_workers() && num < max; ++i) {
    const unsigned from = first + i < num_workers() ? first + i : first + i - num_workers();
    if (from == to) continue;
    num += rte_ring_sc_dequeue_burst(&packets_.between(from, to), reinterpret_cast<void**>(packets + num),
                                     max - num, nullptr);
  }
  return num;
}

void Handover::tell(unsigned from, const Lesson& lesson) {
  std::uint8_t bytes[kLessonSize] = {};
  std::memcpy(bytes, &lesson, sizeof lesson);
  for (unsigned to = 0; to < num_workers(); ++to) {
    if (to != from) rte_ring_sp_enqueue_elem(&lessons_.between(from, to), bytes, kLessonSize);
  }
}

bool Handover::hear(unsigned to, Lesson& lesson) {
  std::uint8_t bytes[kLessonSize];
  for (unsigned from = 0; from < num_workers(); ++from) {
    if (from == to || rte_ring_sc_dequeue_elem(&lessons_.between(from, to), bytes, kLessonSize) != 0)
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
    info(m).sa = nullptr;  // the frame may outlive it
    info(m).port = port;
  }
  give_all(context, frames, sender);
}

}  // namespace gate96
