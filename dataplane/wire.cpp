// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/wire.h"

#include <cstring>

#include "dataplane/mbuf_ops.h"
#include "dataplane/transmit.h"
#include "dataplane/wire_format.h"

namespace gate96::wire {

void pass(Context& context, rte_mbuf* m) {
  const std::uint8_t to = *(*context.ports)[info(m).port].wire_peer;
  const bool is_ip = info(m).protocol != 0 || info(m).header_len != 0;
  if (is_ip && m->pkt_len > (*context.ports)[to].mtu) return context.end(m, Verdict::kTooBig);
  const std::uint8_t l2_len = info(m).l2_len;
  std::uint8_t* l2 = prepend(m, l2_len, context.pool);
  if (l2 == nullptr) return context.end(m, Verdict::kNoRoom);
  const PacketInfo& p = info(m);
  std::memcpy(l2, p.l2, l2_len);
  if (is_ip) {  // a tunnel may have changed the family
    const rte_be16_t type = rte_cpu_to_be_16(p.family == Family::kIpv4 ? kEtherTypeIpv4 : kEtherTypeIpv6);
    std::memcpy(l2 + l2_len - 2, &type, 2);
  }
  context.tx->push(context, to, m);
}

}  // namespace gate96::wire
