// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/wire.h"

#include <cstring>

#include "dataplane/fragment.h"
#include "dataplane/icmp_error.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/transmit.h"
#include "dataplane/wire_format.h"

namespace gate96::wire {

namespace {

bool is_ip(const rte_mbuf* m) {
  return info(m).header_len != 0;
}

/// The frame's own Ethernet header again, then out.
void send(Context& context, std::uint8_t to, rte_mbuf* m) {
  const std::uint8_t l2_len = info(m).l2_len;
  std::uint8_t* l2 = prepend(m, l2_len, context.pool);
  if (l2 == nullptr) return context.end(m, Verdict::kNoRoom);
  const PacketInfo& p = info(m);
  std::memcpy(l2, p.l2, l2_len);
  if (is_ip(m)) {  // a tunnel may have changed the family
    const rte_be16_t type = rte_cpu_to_be_16(p.family == Family::kIpv4 ? kEtherTypeIpv4 : kEtherTypeIpv6);
    std::memcpy(l2 + l2_len - 2, &type, 2);
  }
  context.tx->push(context, to, m);
}

}  // namespace

void pass(Context& context, rte_mbuf* m) {
  const PacketInfo& p = info(m);
  const std::uint8_t to = p.back_on_wire ? p.port : *(*context.ports)[p.port].wire_peer;
  const unsigned mtu = (*context.ports)[to].mtu;
  if (!is_ip(m) || m->pkt_len <= mtu) [[likely]]
    return send(context, to, m);
  if (!may_fragment(m))
    return icmp_error::reject(context, m, Verdict::kTooBig, icmp_error::Kind::kTooBig, mtu);
  PacketList pieces;
  fragment(context, m, mtu, pieces);
  for (rte_mbuf* piece : pieces) send(context, to, piece);
}

}  // namespace gate96::wire
