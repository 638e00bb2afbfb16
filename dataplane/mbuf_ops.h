// SPDX-License-Identifier: BSD-3-Clause
// Buffer work on mbufs that may be chains. All functions hold for any split of the bytes over segments.
#pragma once

#include <rte_mbuf.h>

#include <cstdint>
#include <span>

namespace gate96 {

/// Makes the first `len` bytes contiguous in the first segment. False if the packet is shorter or there is no
/// room.
[[nodiscard]] bool pull_up(rte_mbuf* m, std::uint32_t len);

/// Takes `len` bytes off the end; segments that become empty are freed. len <= pkt_len.
void trim_end(rte_mbuf* m, std::uint32_t len);

/// Takes `len` bytes off the front; segments that become empty are freed, the head excepted. len <= pkt_len.
void trim_front(rte_mbuf* m, std::uint32_t len);

/// Adds `len` contiguous bytes at the end, in a new segment of `pool` if the last one is short of tailroom.
/// Null if the pool is empty or `len` is over a segment's room.
[[nodiscard]] std::uint8_t* append(rte_mbuf* m, std::uint32_t len, rte_mempool* pool);

/// Adds `bytes` at the end, over as many new segments of `pool` as they need. What does not fit
/// (kMaxSegments, an empty pool) is left out: the stages then see a truncated frame.
void append_bytes(rte_mbuf* m, std::span<const std::uint8_t> bytes, rte_mempool* pool);

/// Adds `len` bytes in front. If headroom is short the packet is moved into a new head segment of `pool`,
/// which then is the packet (private area copied). Null if that fails; `m` is then unchanged.
[[nodiscard]] std::uint8_t* prepend(rte_mbuf*& m, std::uint16_t len, rte_mempool* pool);

/// Copies `len` bytes at `offset` to `to`. The range must lie inside the packet.
void copy_out(const rte_mbuf* m, std::uint32_t offset, std::uint32_t len, std::uint8_t* to);

}  // namespace gate96
