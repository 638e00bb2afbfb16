// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/path_mtu.h"

#include <algorithm>
#include <cstring>

#include "dataplane/mbuf_ops.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

constexpr std::uint64_t kRecentPackets = 1u << 16;  // a quoted number must be among the last so many

struct Quote {
  unsigned mtu = 0;
  std::uint32_t spi = 0;
  std::uint32_t seq = 0;
  bool in_udp = false;
  IpAddress src;
  IpAddress dst;
};

/// Type 3 code 4, or ICMPv6 type 2, with the head of an ESP packet, maybe in UDP, behind it.
bool read_quote(rte_mbuf* m, Quote& quote) {
  const PacketInfo& p = info(m);
  const bool v4 = p.family == Family::kIpv4;
  const bool kind = v4 ? p.protocol == kProtoIcmp && p.src_port == 3 && p.dst_port == 4
                       : p.protocol == kProtoIcmpv6 && p.src_port == 2;
  const std::uint32_t ip_len = v4 ? sizeof(Ipv4Header) : sizeof(Ipv6Header);
  std::uint8_t bytes[sizeof(IcmpHeader) + sizeof(Ipv6Header) + sizeof(UdpHeader) + sizeof(EspHeader)];
  const std::uint32_t least = sizeof(IcmpHeader) + ip_len + sizeof(EspHeader);
  if (!kind || p.ports_kind != PortsKind::kIcmp || m->pkt_len < p.header_len + least) return false;
  const auto len = std::min(m->pkt_len - p.header_len, least + static_cast<std::uint32_t>(sizeof(UdpHeader)));
  copy_out(m, p.header_len, len, bytes);
  const std::uint8_t* ip = bytes + sizeof(IcmpHeader);
  const std::uint8_t protocol = ip[v4 ? offsetof(Ipv4Header, protocol) : offsetof(Ipv6Header, next_header)];
  quote.in_udp = protocol == kProtoUdp;
  if (v4 ? ip[0] != 0x45 : ip[0] >> 4 != 6) return false;
  if (quote.in_udp ? len < least + sizeof(UdpHeader) : protocol != kProtoEsp) return false;
  IcmpHeader icmp;
  EspHeader esp;
  std::memcpy(&icmp, bytes, sizeof icmp);
  std::memcpy(&esp, ip + ip_len + (quote.in_udp ? sizeof(UdpHeader) : 0), sizeof esp);
  quote.src.family = quote.dst.family = p.family;
  const std::size_t address_len = v4 ? 4 : 16;
  std::memcpy(quote.src.bytes.data(), ip + (v4 ? offsetof(Ipv4Header, src) : offsetof(Ipv6Header, src)),
              address_len);
  std::memcpy(quote.dst.bytes.data(), ip + (v4 ? offsetof(Ipv4Header, dst) : offsetof(Ipv6Header, dst)),
              address_len);
  quote.mtu = v4 ? rte_be_to_cpu_32(icmp.rest) & 0xffff : rte_be_to_cpu_32(icmp.rest);
  quote.spi = rte_be_to_cpu_32(esp.spi);
  quote.seq = rte_be_to_cpu_32(esp.seq);
  return true;
}

bool sent_lately(const Sa& sa, std::uint32_t seq) {
  const auto age = static_cast<std::uint32_t>(static_cast<std::uint32_t>(sa.seq.get()) - seq);
  return age < kRecentPackets && age < sa.seq.get();
}

}  // namespace

unsigned path_mtu(const Context& context, const Sa& sa, std::uint8_t port) {
  const auto& ports = *context.ports;
  unsigned mtu = 0;
  if (context.is_wire(port)) {
    mtu = ports[*ports[port].wire_peer].mtu;
  } else if (const NextHop* hop = context.tables->routes.lookup(sa.dst.family, sa.dst.bytes.data())) {
    mtu = ports[hop->port].mtu;
  }
  const auto learnt = static_cast<unsigned>(sa.path_mtu.get());
  return learnt != 0 && context.now_ms < sa.path_mtu_until_ms.get() ? std::min(mtu, learnt) : mtu;
}

bool learn_path_mtu(Context& context, rte_mbuf* m) {
  Quote quote;
  if (!read_quote(m, quote)) return false;
  const unsigned floor = quote.src.is_v4() ? kMinPathMtu4 : kMinPathMtu6;
  for (const auto& sa : context.tables->sas) {
    if (sa->direction == Direction::kIn || sa->spi != quote.spi || sa->dst != quote.dst ||
        sa->src != quote.src || sa->udp_encap.has_value() != quote.in_udp)
      continue;
    if (!sent_lately(*sa, quote.seq)) return false;
    const unsigned mtu = std::max(quote.mtu, floor);  // less is no router's word, or not worth believing
    if (mtu >= path_mtu(context, *sa, info(m).port)) return false;
    sa->path_mtu.set(mtu);
    sa->path_mtu_until_ms.set(context.now_ms + kPathMtuAgeMs);
    return true;
  }
  return false;
}

}  // namespace gate96
