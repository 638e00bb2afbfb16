// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/parse.h"

#include <algorithm>
#include <cstring>

#include "dataplane/ip_edit.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/port_info.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

constexpr unsigned kMaxExtensions = 8;         // IPv6 extension headers walked
constexpr std::uint32_t kMaxHeaderLen = 1024;  // and bytes of them; the rest of a chain is nobody's business

bool has_ports(std::uint8_t protocol) {
  switch (protocol) {
    case kProtoTcp:
    case kProtoUdp:
    case kProtoUdpLite:
    case kProtoDccp:
    case kProtoSctp:
      return true;
    default:
      return false;
  }
}

/// In two loads: what has been written in pieces a moment ago is not to be read whole.
std::uint64_t as_number(const std::uint8_t* mac) {
  std::uint32_t first = 0;
  std::uint16_t last = 0;
  std::memcpy(&first, mac, sizeof first);
  std::memcpy(&last, mac + sizeof first, sizeof last);
  return std::uint64_t{last} << 32 | first;
}

/// Whether a station with this address, or kAnyMac, takes a frame to `dst`.
bool is_for(const MacAddress& station, const std::uint8_t* dst) {
  const std::uint64_t own = as_number(station.bytes.data());
  const bool group = (dst[0] & 1) != 0;
  return own == as_number(dst) || own == 0 || group;
}

/// Ports or ICMP type and code, of the 4 bytes behind the IP header; null: the packet is shorter.
inline void note_upper(PacketInfo& p, const std::uint8_t* bytes) {
  const bool icmp = p.protocol == kProtoIcmp || p.protocol == kProtoIcmpv6;
  if (p.later_fragment || bytes == nullptr || (!icmp && !has_ports(p.protocol))) {
    p.ports_kind = PortsKind::kNone;
    p.src_port = p.dst_port = 0;
    return;
  }
  p.ports_kind = icmp ? PortsKind::kIcmp : PortsKind::kPorts;
  p.src_port = icmp ? bytes[0] : static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]);
  p.dst_port = icmp ? bytes[1] : static_cast<std::uint16_t>(bytes[2] << 8 | bytes[3]);
}

void parse_upper(const rte_mbuf* m, PacketInfo& p) {
  std::uint8_t copy[4];
  note_upper(
      p, m->pkt_len < p.header_len + sizeof copy ? nullptr : bytes_at(m, p.header_len, sizeof copy, copy));
}

inline void note_ipv4(PacketInfo& p, const Ipv4Header& ip, std::uint16_t header_len) {
  const std::uint16_t fragment = rte_be_to_cpu_16(ip.fragment);
  p.family = Family::kIpv4;
  p.protocol = ip.protocol;
  p.header_len = header_len;
  p.next_header_at = offsetof(Ipv4Header, protocol);
  p.dont_fragment = (fragment & kIpv4DontFragment) != 0;
  p.later_fragment = (fragment & kIpv4OffsetMask) != 0;
  p.fragment = (fragment & (kIpv4MoreFragments | kIpv4OffsetMask)) != 0;
}

Verdict parse_ipv4(rte_mbuf* m, PacketInfo& p) {
  if (!pull_up(m, sizeof(Ipv4Header))) return Verdict::kFrameShort;
  const auto* ip = rte_pktmbuf_mtod(m, const Ipv4Header*);
  if (ip->version_ihl >> 4 != 4) return Verdict::kIpVersion;
  const std::uint16_t header_len = (ip->version_ihl & 0xf) * 4;
  const std::uint16_t total_len = rte_be_to_cpu_16(ip->total_len);
  if (header_len < sizeof(Ipv4Header) || total_len < header_len) return Verdict::kIpHeader;
  if (total_len > m->pkt_len) return Verdict::kIpTruncated;
  if (!pull_up(m, header_len)) return Verdict::kSegments;
  ip = rte_pktmbuf_mtod(m, const Ipv4Header*);
  if (header_sum(*ip) != 0xffff) return Verdict::kIpChecksum;
  if (total_len < m->pkt_len) trim_end(m, m->pkt_len - total_len);

  note_ipv4(p, *ip, header_len);
  parse_upper(m, p);
  return Verdict::kPass;
}

/// Walks the extension headers (RFC 8200 4) from the fixed header on, with bounds on number and length.
Verdict walk_extensions(rte_mbuf* m, PacketInfo& p, std::uint8_t next) {
  std::uint32_t offset = sizeof(Ipv6Header);
  p.next_header_at = offsetof(Ipv6Header, next_header);
  for (unsigned i = 0; i < kMaxExtensions; ++i) {
    std::uint32_t len = 0;
    std::uint8_t head[8];
    switch (next) {
      case kProtoHopByHop:
        if (offset != sizeof(Ipv6Header)) return Verdict::kIpExtension;  // only as the first (4.1)
        [[fallthrough]];
      case kProtoRouting:
      case kProtoDestOptions:
      case kProtoMobility:
      case kProtoFragment:
        if (offset + sizeof head > m->pkt_len) return Verdict::kIpExtension;
        copy_out(m, offset, sizeof head, head);
        len = next == kProtoFragment ? 8 : (head[1] + 1u) * 8;
        break;
      default:
        p.protocol = next;
        p.header_len = static_cast<std::uint16_t>(offset);
        return pull_up(m, offset) ? Verdict::kPass : Verdict::kSegments;
    }
    if (next == kProtoFragment) {
      const std::uint16_t field = static_cast<std::uint16_t>(head[2] << 8 | head[3]);
      p.fragment = (field & 0xfff9) != 0;  // offset or M; an "atomic" fragment (RFC 6946) is none
      p.later_fragment = (field & 0xfff8) != 0;
    }
    p.next_header_at = static_cast<std::uint16_t>(offset);
    offset += len;
    if (offset > m->pkt_len || offset > kMaxHeaderLen) return Verdict::kIpExtension;
    next = head[0];
    if (p.later_fragment) {
      p.protocol = next;
      p.header_len = static_cast<std::uint16_t>(offset);
      return pull_up(m, offset) ? Verdict::kPass : Verdict::kSegments;
    }
  }
  return Verdict::kIpExtension;
}

Verdict parse_ipv6(rte_mbuf* m, PacketInfo& p) {
  if (!pull_up(m, sizeof(Ipv6Header))) return Verdict::kFrameShort;
  const auto* ip = rte_pktmbuf_mtod(m, const Ipv6Header*);
  if ((rte_be_to_cpu_32(ip->version_class_flow) >> 28) != 6) return Verdict::kIpVersion;
  const std::uint32_t total_len = sizeof(Ipv6Header) + rte_be_to_cpu_16(ip->payload_len);
  if (total_len > m->pkt_len) return Verdict::kIpTruncated;
  if (total_len < m->pkt_len) trim_end(m, m->pkt_len - total_len);
  p.family = Family::kIpv6;
  p.dont_fragment = true;  // routers never fragment IPv6 (RFC 8200 5)
  p.fragment = p.later_fragment = false;
  const Verdict verdict = walk_extensions(m, p, ip->next_header);
  if (verdict == Verdict::kPass) parse_upper(m, p);
  return verdict;
}

/// All tests of an IPv4 header at once, for nearly every datagram: without options, and it and all that `len`
/// bytes of room hold in one piece. False: it may be anything, and nothing has been changed.
inline bool parse_plain_ipv4(rte_mbuf* m, PacketInfo& p, const Ipv4Header& ip, std::uint32_t len) {
  const std::uint32_t total_len = rte_be_to_cpu_16(ip.total_len);
  if (ip.version_ihl != 0x45 || total_len < sizeof ip || total_len > len || header_sum(ip) != 0xffff)
    return false;
  m->pkt_len = total_len;
  m->data_len = static_cast<std::uint16_t>(total_len);
  note_ipv4(p, ip, sizeof ip);
  const auto* upper = reinterpret_cast<const std::uint8_t*>(&ip + 1);
  note_upper(p, total_len >= sizeof ip + 4 ? upper : nullptr);
  return true;
}

inline bool parse_plain_frame(rte_mbuf* m, PacketInfo& p, const MacAddress& mac) {
  const std::uint32_t len = m->data_len;
  if (m->nb_segs != 1 || len < sizeof(EtherHeader) + sizeof(Ipv4Header)) return false;
  const auto* ether = rte_pktmbuf_mtod(m, const EtherHeader*);
  const auto* ip = reinterpret_cast<const Ipv4Header*>(ether + 1);
  if (ether->type != RTE_BE16(kEtherTypeIpv4) || !is_for(mac, ether->dst) ||
      !parse_plain_ipv4(m, p, *ip, len - sizeof *ether)) {
    return false;
  }
  m->data_off += sizeof *ether;
  p.l2_len = sizeof *ether;
  std::memcpy(p.l2, ether, sizeof *ether);
  return true;
}

[[gnu::noinline]] FrameResult parse_any_frame(rte_mbuf* m, const MacAddress& mac);
[[gnu::noinline]] Verdict parse_any_ip(rte_mbuf* m, Family family);

}  // namespace

Verdict parse_ip(rte_mbuf* m, Family family) {
  const bool room = m->nb_segs == 1 && m->data_len >= sizeof(Ipv4Header);
  if (room && family == Family::kIpv4 &&
      parse_plain_ipv4(m, info(m), *rte_pktmbuf_mtod(m, const Ipv4Header*), m->data_len)) [[likely]]
    return Verdict::kPass;
  return parse_any_ip(m, family);
}

FrameResult parse_frame(rte_mbuf* m, const MacAddress& mac) {
  if (parse_plain_frame(m, info(m), mac)) [[likely]]
    return {Verdict::kPass, FrameKind::kIpv4};
  return parse_any_frame(m, mac);
}

namespace {

Verdict parse_any_ip(rte_mbuf* m, Family family) {
  return family == Family::kIpv4 ? parse_ipv4(m, info(m)) : parse_ipv6(m, info(m));
}

FrameResult parse_any_frame(rte_mbuf* m, const MacAddress& mac) {
  constexpr std::uint32_t kVlanTagLen = 4;
  if (!pull_up(m, std::min<std::uint32_t>(m->pkt_len, kMaxL2Len))) return {Verdict::kSegments, {}};
  const auto* frame = rte_pktmbuf_mtod(m, const std::uint8_t*);
  std::uint32_t l2_len = sizeof(EtherHeader);
  if (m->pkt_len < l2_len) return {Verdict::kFrameShort, {}};
  auto type_at = [frame](std::uint32_t at) {
    return static_cast<std::uint16_t>(frame[at] << 8 | frame[at + 1]);
  };
  std::uint16_t type = type_at(12);
  for (int tags = 0; tags < 2 && (type == kEtherTypeVlan || type == kEtherTypeQinQ); ++tags) {
    l2_len += kVlanTagLen;
    if (m->pkt_len < l2_len) return {Verdict::kFrameShort, {}};
    type = type_at(l2_len - 2);
  }
  if (!is_for(mac, frame)) return {Verdict::kOtherMac, {}};

  PacketInfo& p = info(m);
  p.l2_len = static_cast<std::uint8_t>(l2_len);
  std::memcpy(p.l2, frame, l2_len);
  trim_front(m, l2_len);
  switch (type) {
    case kEtherTypeArp:
      return {Verdict::kPass, FrameKind::kArp};
    case kEtherTypeIpv4:
      return {parse_ipv4(m, p), FrameKind::kIpv4};
    case kEtherTypeIpv6:
      return {parse_ipv6(m, p), FrameKind::kIpv6};
    default:
      return {Verdict::kNotIp, {}};
  }
}

}  // namespace

}  // namespace gate96
