// SPDX-License-Identifier: BSD-3-Clause
// Edits of an IP header in place that keep the IPv4 checksum right.
#pragma once

#include <rte_ip.h>
#include <rte_mbuf.h>

#include <cstdint>
#include <cstring>

#include "dataplane/packet.h"
#include "dataplane/wire_format.h"

namespace gate96 {

/// The ones' complement sum of the header's 16-bit words, in memory order: 0xffff if its checksum is right.
[[nodiscard]] inline std::uint16_t header_sum(const Ipv4Header& ip) {
  const std::size_t len = (ip.version_ihl & 0xfu) * 4;
  if (len != sizeof ip) [[unlikely]]
    return rte_raw_cksum(&ip, len);
  auto word = [bytes = reinterpret_cast<const std::uint8_t*>(&ip)](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes + at, sizeof value);
    return std::uint64_t{value};
  };
  std::uint64_t sum = word(0) + word(4) + word(8) + word(12) + word(16);
  sum = (sum & 0xffffffff) + (sum >> 32);
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(sum);
}

/// Computes the checksum of the header and of the options that lie behind it in memory.
void seal_checksum(Ipv4Header& ip);

/// RFC 1624 3: HC' = ~(~HC + ~m + m'), which unlike adding to HC never makes 0xffff of 0.
inline void decrement_ttl(Ipv4Header& ip) {
  --ip.ttl;
  std::uint32_t sum = static_cast<std::uint16_t>(~rte_be_to_cpu_16(ip.checksum));
  sum += static_cast<std::uint16_t>(~0x0100);  // TTL is a word's upper byte: it lost 1, and ~m + m' = ~0x0100
  sum = (sum & 0xffff) + (sum >> 16);
  ip.checksum = rte_cpu_to_be_16(static_cast<std::uint16_t>(~sum));
}

/// Counts TTL or hop limit down, once a packet (info(m).ttl_done), not for packets made here. False: it was 0
/// or 1.
[[nodiscard]] inline bool decrement_ttl(rte_mbuf* m) {
  PacketInfo& p = info(m);
  if (p.originated || p.ttl_done) return true;
  if (p.family == Family::kIpv4) {
    auto* ip = rte_pktmbuf_mtod(m, Ipv4Header*);
    if (ip->ttl <= 1) return false;
    decrement_ttl(*ip);
  } else {
    auto* ip = rte_pktmbuf_mtod(m, Ipv6Header*);
    if (ip->hop_limit <= 1) return false;
    --ip->hop_limit;
  }
  p.ttl_done = true;
  return true;
}

/// TOS or traffic class: DSCP in the upper six bits, ECN in the lower two.
[[nodiscard]] inline std::uint8_t traffic_class(const rte_mbuf* m) {
  if (info(m).family == Family::kIpv4) return rte_pktmbuf_mtod(m, const Ipv4Header*)->tos;
  const auto* ip = rte_pktmbuf_mtod(m, const Ipv6Header*);
  return static_cast<std::uint8_t>(rte_be_to_cpu_32(ip->version_class_flow) >> 20);
}
void set_traffic_class(rte_mbuf* m, std::uint8_t value);

/// Sets IPv4 total length and checksum, or IPv6 payload length, from the packet's length.
void set_ip_len(rte_mbuf* m);

}  // namespace gate96
