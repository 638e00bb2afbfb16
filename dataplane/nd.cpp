// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/nd.h"

#include <rte_ip.h>

#include <algorithm>
#include <cstring>

#include "dataplane/mbuf_ops.h"
#include "dataplane/packet.h"
#include "dataplane/wire_format.h"

namespace gate96::nd {
namespace {

constexpr std::uint8_t kHopLimit = 255;  // proves that no router has touched it
constexpr std::uint8_t kSourceLinkLayer = 1;
constexpr std::uint8_t kTargetLinkLayer = 2;
constexpr std::uint32_t kRouter = 0x80000000;
constexpr std::uint32_t kSolicited = 0x40000000;
constexpr std::uint32_t kOverride = 0x20000000;
constexpr std::uint32_t kMaxLen = 1280;  // of a message that we look at

struct [[gnu::packed]] Body {
  IcmpHeader icmp;  // `rest`: reserved, or the flags of an advertisement
  std::uint8_t target[16];
};
static_assert(sizeof(Body) == 24);

struct [[gnu::packed]] LinkLayerOption {
  std::uint8_t type;
  std::uint8_t len;  // in units of 8 bytes
  std::uint8_t mac[6];
};
static_assert(sizeof(LinkLayerOption) == 8);

IpAddress ipv6(const std::uint8_t* bytes) {
  IpAddress address{Family::kIpv6, {}};
  std::copy_n(bytes, 16, address.bytes.begin());
  return address;
}

/// The node's solicited-node multicast group (RFC 4291 2.7.1).
IpAddress solicited_node(const IpAddress& target) {
  IpAddress group{Family::kIpv6, {0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff}};
  std::copy_n(target.bytes.begin() + 13, 3, group.bytes.begin() + 13);
  return group;
}

MacAddress group_mac(const IpAddress& group) {  // RFC 2464 7
  return {{0x33, 0x33, group.bytes[12], group.bytes[13], group.bytes[14], group.bytes[15]}};
}

/// Walks the options; false if one has length 0 or runs past the end (4.6).
bool read_options(const std::uint8_t* at, const std::uint8_t* end, Message& message) {
  const std::uint8_t wanted = message.type == kSolicitation ? kSourceLinkLayer : kTargetLinkLayer;
  while (at < end) {
    if (end - at < 2 || at[1] == 0 || at[1] * 8 > end - at) return false;
    if (at[0] == wanted && at[1] == 1) {
      message.mac.emplace();
      std::copy_n(at + 2, 6, message.mac->bytes.begin());
    }
    at += at[1] * 8;
  }
  return true;
}

struct Outgoing {
  MacAddress to_mac;
  IpAddress src;
  IpAddress dst;
  std::uint8_t type;
  std::uint32_t flags;
  IpAddress target;
};

bool write(rte_mbuf* m, const PortInfo& port, const Outgoing& out) {
  constexpr std::size_t kPayload = sizeof(Body) + sizeof(LinkLayerOption);
  auto* frame = rte_pktmbuf_append(m, sizeof(EtherHeader) + sizeof(Ipv6Header) + kPayload);
  if (frame == nullptr) return false;
  auto* ether = reinterpret_cast<EtherHeader*>(frame);
  std::memcpy(ether->dst, out.to_mac.bytes.data(), 6);
  std::memcpy(ether->src, port.mac.bytes.data(), 6);
  ether->type = rte_cpu_to_be_16(kEtherTypeIpv6);
  auto* ip = reinterpret_cast<Ipv6Header*>(ether + 1);
  *ip = {rte_cpu_to_be_32(6u << 28), rte_cpu_to_be_16(kPayload), kProtoIcmpv6, kHopLimit, {}, {}};
  std::memcpy(ip->src, out.src.bytes.data(), 16);
  std::memcpy(ip->dst, out.dst.bytes.data(), 16);
  auto* body = reinterpret_cast<Body*>(ip + 1);
  body->icmp = {out.type, 0, 0, rte_cpu_to_be_32(out.flags)};
  std::memcpy(body->target, out.target.bytes.data(), 16);
  auto* option = reinterpret_cast<LinkLayerOption*>(body + 1);
  option->type = out.type == kSolicitation ? kSourceLinkLayer : kTargetLinkLayer;
  option->len = 1;
  std::memcpy(option->mac, port.mac.bytes.data(), 6);
  body->icmp.checksum = rte_ipv6_udptcp_cksum(reinterpret_cast<const rte_ipv6_hdr*>(ip), body);
  return true;
}

}  // namespace

bool is_nd(const rte_mbuf* m) {
  const PacketInfo& p = info(m);
  return p.family == Family::kIpv6 && p.protocol == kProtoIcmpv6 && p.header_len == sizeof(Ipv6Header) &&
         p.ports_kind == PortsKind::kIcmp && p.src_port >= kRouterSolicitation && p.src_port <= kRedirect;
}

std::optional<Message> read(rte_mbuf* m) {
  if (m->pkt_len > kMaxLen || m->pkt_len < sizeof(Ipv6Header) + sizeof(Body) || !pull_up(m, m->pkt_len)) {
    return std::nullopt;
  }
  const auto* ip = rte_pktmbuf_mtod(m, const Ipv6Header*);
  const auto* body = reinterpret_cast<const Body*>(ip + 1);
  Message message{body->icmp.type, ipv6(ip->src), ipv6(body->target), std::nullopt};
  const IpAddress dst = ipv6(ip->dst);
  if (ip->hop_limit != kHopLimit || body->icmp.code != 0 || message.target.is_multicast() ||
      rte_ipv6_udptcp_cksum(reinterpret_cast<const rte_ipv6_hdr*>(ip), body) != 0) {
    return std::nullopt;
  }
  const auto* end = rte_pktmbuf_mtod(m, const std::uint8_t*) + m->pkt_len;
  if (!read_options(reinterpret_cast<const std::uint8_t*>(body + 1), end, message)) return std::nullopt;
  if (message.mac && (message.mac->bytes[0] & 1) != 0) return std::nullopt;
  const bool from_nobody = message.src.is_unspecified();  // duplicate address detection
  if (message.type == kSolicitation) {
    if (from_nobody && (message.mac || dst != solicited_node(message.target))) return std::nullopt;
  } else if (message.type != kAdvertisement ||
             (dst.is_multicast() && (rte_be_to_cpu_32(body->icmp.rest) & kSolicited) != 0)) {
    return std::nullopt;
  }
  return message;
}

bool write_solicitation(rte_mbuf* m, const PortInfo& port, const IpAddress& own, const IpAddress& target) {
  const IpAddress group = solicited_node(target);
  return write(m, port, {group_mac(group), own, group, kSolicitation, 0, target});
}

bool write_advertisement(rte_mbuf* m, const PortInfo& port, const Message& solicitation) {
  constexpr IpAddress kAllNodes{Family::kIpv6, {0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
  const bool to_all = solicitation.src.is_unspecified() || !solicitation.mac;
  const IpAddress dst = solicitation.src.is_unspecified() ? kAllNodes : solicitation.src;
  // Without a link-layer address in the solicitation the frame goes to the group that every node hears.
  const MacAddress mac = to_all ? group_mac(kAllNodes) : *solicitation.mac;
  const std::uint32_t flags = kRouter | kOverride | (solicitation.src.is_unspecified() ? 0 : kSolicited);
  return write(m, port, {mac, solicitation.target, dst, kAdvertisement, flags, solicitation.target});
}

IpAddress link_local(const MacAddress& mac) {
  const auto& b = mac.bytes;
  return {Family::kIpv6,
          {0xfe, 0x80, 0, 0, 0, 0, 0, 0, static_cast<std::uint8_t>(b[0] ^ 2), b[1], b[2], 0xff, 0xfe, b[3],
           b[4], b[5]}};
}

}  // namespace gate96::nd
