// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/mbuf_ops.h"

#include <algorithm>
#include <cstring>

#include "dataplane/packet.h"

namespace gate96 {
namespace {

/// Frees the empty segment after `before`.
void unlink_next(rte_mbuf* m, rte_mbuf* before) {
  rte_mbuf* empty = before->next;
  before->next = empty->next;
  empty->next = nullptr;
  empty->nb_segs = 1;
  rte_pktmbuf_free_seg(empty);
  --m->nb_segs;
}

}  // namespace

namespace mbuf_ops {

bool pull_up_chain(rte_mbuf* m, std::uint32_t len) {
  const std::uint32_t missing = len - m->data_len;
  if (len > m->pkt_len || missing > rte_pktmbuf_tailroom(m)) return false;
  auto* end = rte_pktmbuf_mtod_offset(m, std::uint8_t*, m->data_len);
  for (std::uint32_t left = missing; left > 0;) {
    rte_mbuf* next = m->next;
    const auto take = static_cast<std::uint16_t>(std::min<std::uint32_t>(left, next->data_len));
    std::memcpy(end, rte_pktmbuf_mtod(next, void*), take);
    end += take;
    left -= take;
    next->data_off = static_cast<std::uint16_t>(next->data_off + take);
    next->data_len = static_cast<std::uint16_t>(next->data_len - take);
    if (next->data_len == 0) unlink_next(m, m);
  }
  m->data_len = static_cast<std::uint16_t>(len);
  return true;
}

void trim_end_chain(rte_mbuf* m, std::uint32_t len) {
  m->pkt_len -= len;
  std::uint32_t left = m->pkt_len;
  rte_mbuf* seg = m;
  while (left > seg->data_len) {
    left -= seg->data_len;
    seg = seg->next;
  }
  seg->data_len = static_cast<std::uint16_t>(left);
  while (seg->next != nullptr) unlink_next(m, seg);
}

void trim_front_chain(rte_mbuf* m, std::uint32_t len) {
  m->pkt_len -= len;
  std::uint32_t left = len - m->data_len;
  m->data_off = static_cast<std::uint16_t>(m->data_off + m->data_len);
  m->data_len = 0;
  while (left > 0) {
    rte_mbuf* next = m->next;
    const auto take = static_cast<std::uint16_t>(std::min<std::uint32_t>(left, next->data_len));
    next->data_off = static_cast<std::uint16_t>(next->data_off + take);
    next->data_len = static_cast<std::uint16_t>(next->data_len - take);
    left -= take;
    if (next->data_len == 0 && left > 0) unlink_next(m, m);
  }
}

std::uint8_t* append_chain(rte_mbuf* m, std::uint32_t len, rte_mempool* pool) {
  rte_mbuf* last = rte_pktmbuf_lastseg(m);
  if (len > rte_pktmbuf_tailroom(last)) {
    rte_mbuf* more = m->nb_segs < kMaxSegments ? rte_pktmbuf_alloc(pool) : nullptr;
    if (more == nullptr) return nullptr;
    if (len > rte_pktmbuf_tailroom(more)) {
      rte_pktmbuf_free(more);
      return nullptr;
    }
    last->next = more;
    ++m->nb_segs;
    last = more;
  }
  auto* end = rte_pktmbuf_mtod_offset(last, std::uint8_t*, last->data_len);
  last->data_len = static_cast<std::uint16_t>(last->data_len + len);
  m->pkt_len += len;
  return end;
}

std::uint8_t* prepend_segment(rte_mbuf*& m, std::uint16_t len, rte_mempool* pool) {
  rte_mbuf* head = m->nb_segs < kMaxSegments ? rte_pktmbuf_alloc(pool) : nullptr;
  if (head == nullptr) return nullptr;
  if (len > rte_pktmbuf_tailroom(head)) {
    rte_pktmbuf_free(head);
    return nullptr;
  }
  info(head) = info(m);
  head->port = m->port;
  head->data_len = len;
  head->pkt_len = m->pkt_len + len;
  head->next = m;
  head->nb_segs = static_cast<std::uint16_t>(m->nb_segs + 1);
  m->nb_segs = 1;
  m = head;
  return rte_pktmbuf_mtod(head, std::uint8_t*);
}

}  // namespace mbuf_ops

void append_bytes(rte_mbuf* m, std::span<const std::uint8_t> bytes, rte_mempool* pool) {
  while (!bytes.empty()) {
    const std::size_t room = std::max<std::size_t>(1, rte_pktmbuf_tailroom(rte_pktmbuf_lastseg(m)));
    const std::size_t len = std::min(bytes.size(), room);
    std::uint8_t* to = append(m, static_cast<std::uint32_t>(len), pool);
    if (to == nullptr) return;
    std::memcpy(to, bytes.data(), len);
    bytes = bytes.subspan(len);
  }
}

void copy_out(const rte_mbuf* m, std::uint32_t offset, std::uint32_t len, std::uint8_t* to) {
  const void* bytes = rte_pktmbuf_read(m, offset, len, to);
  if (bytes != to) std::memcpy(to, bytes, len);
}

}  // namespace gate96
