// SPDX-License-Identifier: BSD-3-Clause
// The outer IP header of a tunnel (RFC 4301 5.1.2): what it takes from the inner one and how it is written.
#pragma once

#include <rte_mbuf.h>

#include <cstdint>
#include <cstring>

#include "dataplane/ecn.h"
#include "dataplane/ip_edit.h"
#include "dataplane/packet.h"
#include "dataplane/sa.h"

namespace gate96 {

inline constexpr std::uint8_t kOuterTtl = 64;

/// What depends on the inner packet. IPv6 counts as "don't fragment".
struct OuterFields {
  std::uint8_t tos = 0;  // DSCP copied or the SA's own; ECN copied (RFC 6040 4.1), or 0 in compatibility mode
  bool dont_fragment = false;
};

[[nodiscard]] inline OuterFields outer_fields(const Sa& sa, const rte_mbuf* inner) {
  std::uint8_t tos = traffic_class(inner);
  if (sa.dscp) tos = static_cast<std::uint8_t>(*sa.dscp << 2 | (tos & ecn::kMask));
  if (sa.ecn == Ecn::kCompatibility) tos &= static_cast<std::uint8_t>(~ecn::kMask);
  return {tos, sa.df == Df::kCopy ? info(inner).dont_fragment : sa.df == Df::kSet};
}

// Worked out once an SA: Sa::outer_len and Sa::outer_sum.
/// Bytes of the outer header, UDP (RFC 3948) included, ESP not.
[[nodiscard]] std::uint16_t outer_header_len(const Sa& sa);
/// The ones' complement sum of the words of the outer IPv4 header that are the same in every packet.
[[nodiscard]] std::uint16_t outer_header_sum(const Sa& sa);

[[nodiscard]] inline std::uint8_t outer_protocol(const Sa& sa) {
  return sa.udp_encap ? kProtoUdp : kProtoEsp;
}

/// Written field by field where it will lie, and never read back: the checksum comes from registers.
inline void write_outer_ipv4(std::uint8_t* to, Sa& sa, const OuterFields& fields, std::uint32_t packet_len) {
  auto* ip = reinterpret_cast<Ipv4Header*>(to);
  const rte_be16_t total_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(packet_len));
  const rte_be16_t id = rte_cpu_to_be_16(sa.next_id++);
  const rte_be16_t fragment = fields.dont_fragment ? RTE_BE16(kIpv4DontFragment) : 0;
  std::uint32_t sum = sa.outer_sum + (std::uint32_t{fields.tos} << 8) + total_len + id + fragment;
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  ip->version_ihl = 0x45;
  ip->tos = fields.tos;
  ip->total_len = total_len;
  ip->id = id;
  ip->fragment = fragment;
  ip->ttl = kOuterTtl;
  ip->protocol = outer_protocol(sa);
  ip->checksum = static_cast<rte_be16_t>(~sum);
  std::memcpy(ip->src, sa.src.bytes.data(), 4);
  std::memcpy(ip->dst, sa.dst.bytes.data(), 4);
}

void write_other_outer_header(std::uint8_t* to, Sa& sa, const OuterFields& fields, std::uint32_t packet_len);

/// Writes it at `to`; `packet_len`: the whole datagram, outer header included. Takes an IPv4 identification.
inline void write_outer_header(std::uint8_t* to, Sa& sa, const OuterFields& fields,
                               std::uint32_t packet_len) {
  if (sa.dst.is_v4() && !sa.udp_encap) [[likely]]
    return write_outer_ipv4(to, sa, fields, packet_len);
  write_other_outer_header(to, sa, fields, packet_len);
}

}  // namespace gate96
