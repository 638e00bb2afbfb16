// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/fragment.h"

#include <rte_ip_frag.h>

#include "dataplane/ip_edit.h"

namespace gate96 {
namespace {

/// rte_ip_frag leaves 0 in every fragment header; a receiver needs one that no other packet on its way has
/// (RFC 8200 4.5).
void set_id(rte_mbuf* piece, std::uint32_t id) {
  auto* ip = rte_pktmbuf_mtod(piece, rte_ipv6_hdr*);
  reinterpret_cast<rte_ipv6_fragment_ext*>(ip + 1)->id = rte_cpu_to_be_32(id);
}

}  // namespace

void fragment(Context& context, rte_mbuf* m, unsigned mtu, PacketList& pieces) {
  constexpr std::uint16_t kMaxPieces = 64;
  const bool v4 = info(m).family == Family::kIpv4;
  const auto cut = v4 ? rte_ipv4_fragment_packet : rte_ipv6_fragment_packet;
  const std::int32_t num =
      cut(m, pieces.packets, kMaxPieces, static_cast<std::uint16_t>(mtu), context.pool, context.pool);
  if (num <= 0) return context.end(m, Verdict::kNoBuffer);
  pieces.num = static_cast<std::uint16_t>(num);
  context.counters->fragments_made.add(pieces.num - 1u);
  for (rte_mbuf* piece : pieces) {
    info(piece) = info(m);
    if (piece != pieces.packets[0]) info(piece).number = 0;  // the first one tells of the packet
    v4 ? set_ip_len(piece) : set_id(piece, context.fragment_id);
  }
  ++context.fragment_id;
  rte_pktmbuf_free(m);  // the pieces refer to its bytes
}

}  // namespace gate96
