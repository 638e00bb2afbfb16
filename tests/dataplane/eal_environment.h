// SPDX-License-Identifier: BSD-3-Clause
// Packet buffers for tests of the data path's parts.
#pragma once

#include <rte_mbuf.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/mbuf_ops.h"
#include "dataplane/packet.h"

namespace gate96 {

[[nodiscard]] rte_mempool* test_pool();

struct FreePacket {
  void operator()(rte_mbuf* m) const { rte_pktmbuf_free(m); }
};
using Packet = std::unique_ptr<rte_mbuf, FreePacket>;

/// The bytes as a packet, cut into segments of at most `piece` bytes.
[[nodiscard]] inline Packet make_packet(std::span<const std::uint8_t> bytes, std::size_t piece = SIZE_MAX) {
  Packet packet(rte_pktmbuf_alloc(test_pool()));
  info(packet.get()) = PacketInfo{};
  rte_mbuf* last = packet.get();
  while (true) {
    const std::size_t len = std::min({piece, bytes.size(), std::size_t{rte_pktmbuf_tailroom(last)}});
    std::copy_n(bytes.data(), len, rte_pktmbuf_mtod(last, std::uint8_t*));
    last->data_len = static_cast<std::uint16_t>(len);
    packet->pkt_len += static_cast<std::uint32_t>(len);
    bytes = bytes.subspan(len);
    if (bytes.empty()) return packet;
    last->next = rte_pktmbuf_alloc(test_pool());
    last = last->next;
    ++packet->nb_segs;
  }
}

[[nodiscard]] inline std::vector<std::uint8_t> bytes_of(const rte_mbuf* m) {
  std::vector<std::uint8_t> bytes(m->pkt_len);
  if (!bytes.empty()) copy_out(m, 0, m->pkt_len, bytes.data());
  return bytes;
}

}  // namespace gate96
