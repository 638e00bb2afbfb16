// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/ip_edit.h"

#include "dataplane/packet.h"
#include "dataplane/wire_format.h"

namespace gate96 {

void seal_checksum(Ipv4Header& ip) {
  ip.checksum = 0;
  ip.checksum = static_cast<rte_be16_t>(~header_sum(ip));
}

void set_traffic_class(rte_mbuf* m, std::uint8_t value) {
  if (info(m).family == Family::kIpv4) {
    auto* ip = rte_pktmbuf_mtod(m, Ipv4Header*);
    ip->tos = value;
    seal_checksum(*ip);
  } else {
    auto* ip = rte_pktmbuf_mtod(m, Ipv6Header*);
    const std::uint32_t others = rte_be_to_cpu_32(ip->version_class_flow) & 0xf00fffff;
    ip->version_class_flow = rte_cpu_to_be_32(others | std::uint32_t{value} << 20);
  }
}

void set_ip_len(rte_mbuf* m) {
  if (info(m).family == Family::kIpv4) {
    auto* ip = rte_pktmbuf_mtod(m, Ipv4Header*);
    ip->total_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(m->pkt_len));
    seal_checksum(*ip);
  } else {
    auto* ip = rte_pktmbuf_mtod(m, Ipv6Header*);
    ip->payload_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(m->pkt_len - sizeof(Ipv6Header)));
  }
}

}  // namespace gate96
