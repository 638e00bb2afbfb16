// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/outer_header.h"

#include <cstring>

#include "dataplane/ip_edit.h"
#include "dataplane/packet.h"
#include "dataplane/udp_encap.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

void write_ipv6(std::uint8_t* to, const Sa& sa, const OuterFields& fields, std::uint32_t packet_len) {
  Ipv6Header ip{};
  ip.version_class_flow = rte_cpu_to_be_32(6u << 28 | std::uint32_t{fields.tos} << 20);
  ip.payload_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(packet_len - sizeof ip));
  ip.next_header = outer_protocol(sa);
  ip.hop_limit = kOuterTtl;
  std::memcpy(ip.src, sa.src.bytes.data(), 16);
  std::memcpy(ip.dst, sa.dst.bytes.data(), 16);
  std::memcpy(to, &ip, sizeof ip);
}

std::size_t ip_len(const Sa& sa) {
  return sa.dst.is_v4() ? sizeof(Ipv4Header) : sizeof(Ipv6Header);
}

}  // namespace

std::uint16_t outer_header_len(const Sa& sa) {
  return static_cast<std::uint16_t>(ip_len(sa) + (sa.udp_encap ? sizeof(UdpHeader) : 0));
}

std::uint16_t outer_header_sum(const Sa& sa) {
  if (!sa.dst.is_v4()) return 0;
  Ipv4Header ip{};
  ip.version_ihl = 0x45;
  ip.ttl = kOuterTtl;
  ip.protocol = outer_protocol(sa);
  std::memcpy(ip.src, sa.src.bytes.data(), 4);
  std::memcpy(ip.dst, sa.dst.bytes.data(), 4);
  return header_sum(ip);
}

void write_other_outer_header(std::uint8_t* to, Sa& sa, const OuterFields& fields, std::uint32_t packet_len) {
  sa.dst.is_v4() ? write_outer_ipv4(to, sa, fields, packet_len) : write_ipv6(to, sa, fields, packet_len);
  if (sa.udp_encap) udp_encap::write_header(to + ip_len(sa), *sa.udp_encap, packet_len - sa.outer_len);
}

}  // namespace gate96
