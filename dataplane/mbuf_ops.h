// SPDX-License-Identifier: BSD-3-Clause
// Buffer work on mbufs that may be chains. All functions hold for any split of the bytes over segments.
#pragma once

#include <rte_mbuf.h>

#include <cstdint>
#include <cstring>
#include <span>

namespace gate96 {

// The ways for chains, for packets without room, and so on: behind the functions below.
namespace mbuf_ops {
[[nodiscard]] bool pull_up_chain(rte_mbuf* m, std::uint32_t len);
void trim_end_chain(rte_mbuf* m, std::uint32_t len);
void trim_front_chain(rte_mbuf* m, std::uint32_t len);
[[nodiscard]] std::uint8_t* append_chain(rte_mbuf* m, std::uint32_t len, rte_mempool* pool);
[[nodiscard]] std::uint8_t* prepend_segment(rte_mbuf*& m, std::uint16_t len, rte_mempool* pool);
}  // namespace mbuf_ops

/// Makes the first `len` bytes contiguous in the first segment. False if the packet is shorter or there is no
/// room.
[[nodiscard]] inline bool pull_up(rte_mbuf* m, std::uint32_t len) {
  return len <= m->data_len || mbuf_ops::pull_up_chain(m, len);
}

/// Takes `len` bytes off the end; segments that become empty are freed. len <= pkt_len.
inline void trim_end(rte_mbuf* m, std::uint32_t len) {
  if (m->nb_segs != 1) [[unlikely]]
    return mbuf_ops::trim_end_chain(m, len);
  m->pkt_len -= len;
  m->data_len = static_cast<std::uint16_t>(m->pkt_len);
}

/// Takes `len` bytes off the front; segments that become empty are freed, the head excepted. len <= pkt_len.
inline void trim_front(rte_mbuf* m, std::uint32_t len) {
  if (len > m->data_len) [[unlikely]]
    return mbuf_ops::trim_front_chain(m, len);
  m->pkt_len -= len;
  m->data_off = static_cast<std::uint16_t>(m->data_off + len);
  m->data_len = static_cast<std::uint16_t>(m->data_len - len);
}

/// Adds `len` contiguous bytes at the end, in a new segment of `pool` if the last one is short of tailroom.
/// Null if the pool is empty or `len` is over a segment's room.
[[nodiscard]] inline std::uint8_t* append(rte_mbuf* m, std::uint32_t len, rte_mempool* pool) {
  if (m->nb_segs != 1 || len > rte_pktmbuf_tailroom(m)) [[unlikely]]
    return mbuf_ops::append_chain(m, len, pool);
  auto* end = rte_pktmbuf_mtod_offset(m, std::uint8_t*, m->data_len);
  m->data_len = static_cast<std::uint16_t>(m->data_len + len);
  m->pkt_len += len;
  return end;
}

/// Adds `bytes` at the end, over as many new segments of `pool` as they need. What does not fit
/// (kMaxSegments, an empty pool) is left out: the stages then see a truncated frame.
void append_bytes(rte_mbuf* m, std::span<const std::uint8_t> bytes, rte_mempool* pool);

/// Adds `len` bytes in front. If headroom is short the packet is moved into a new head segment of `pool`,
/// which then is the packet (private area copied). Null if that fails; `m` is then unchanged.
[[nodiscard]] inline std::uint8_t* prepend(rte_mbuf*& m, std::uint16_t len, rte_mempool* pool) {
  if (len > m->data_off) [[unlikely]]
    return mbuf_ops::prepend_segment(m, len, pool);
  m->data_off = static_cast<std::uint16_t>(m->data_off - len);
  m->data_len = static_cast<std::uint16_t>(m->data_len + len);
  m->pkt_len += len;
  return rte_pktmbuf_mtod(m, std::uint8_t*);
}

/// The `len` bytes at `offset`, where they lie or, if they lie in pieces, copied to `to`. The range must lie
/// inside the packet.
[[nodiscard]] inline const std::uint8_t* bytes_at(const rte_mbuf* m, std::uint32_t offset, std::uint32_t len,
                                                  std::uint8_t* to) {
  return static_cast<const std::uint8_t*>(rte_pktmbuf_read(m, offset, len, to));
}

/// Copies `len` bytes at `offset` to `to`. The range must lie inside the packet.
void copy_out(const rte_mbuf* m, std::uint32_t offset, std::uint32_t len, std::uint8_t* to);

}  // namespace gate96
