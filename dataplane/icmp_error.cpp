// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/icmp_error.h"

#include <rte_ip.h>

#include <algorithm>
#include <cstring>

#include "dataplane/ip_edit.h"
#include "dataplane/ip_ends.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/outer_header.h"
#include "dataplane/parse.h"
#include "dataplane/wire_format.h"

namespace gate96::icmp_error {
namespace {

constexpr std::uint32_t kMaxLen4 = 576;          // RFC 1812 4.3.2.3: as much as fits
constexpr std::uint32_t kMaxLen6 = 1280;         // RFC 4443 2.4 c
constexpr std::uint8_t kInternetControl = 0xc0;  // RFC 1812 4.3.2.5: precedence of errors

/// Type, code and "rest of header" of an error.
struct Message {
  std::uint8_t type;
  std::uint8_t code;
  std::uint32_t rest;
};

Message message_of(Family family, Kind kind, unsigned mtu) {
  if (family == Family::kIpv4) return kind == Kind::kTooBig ? Message{3, 4, mtu} : Message{11, 0, 0};
  return kind == Kind::kTooBig ? Message{2, 0, mtu} : Message{3, 0, 0};
}

bool is_icmp_error(const PacketInfo& p) {
  if (p.family == Family::kIpv6)
    return p.protocol == kProtoIcmpv6 && (p.ports_kind != PortsKind::kIcmp || p.src_port < 128);
  if (p.protocol != kProtoIcmp) return false;
  // Only queries and replies may be answered by an error (RFC 1122 3.2.2).
  constexpr std::uint16_t kQueries[] = {0, 8, 13, 14, 15, 16, 17, 18};
  return p.ports_kind != PortsKind::kIcmp || std::ranges::find(kQueries, p.src_port) == std::end(kQueries);
}

bool may_reject(const PacketInfo& p, const IpEnds& ends) {
  return !p.originated && !p.later_fragment && !is_icmp_error(p) && !is_martian_source(ends.src) &&
         !ends.dst.is_multicast() && !is_broadcast(ends.dst);
}

void write_ipv4(std::uint8_t* to, const IpEnds& ends, std::uint32_t len) {
  Ipv4Header ip{};
  ip.version_ihl = 0x45;
  ip.tos = kInternetControl;
  ip.total_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(len));
  ip.ttl = kOuterTtl;
  ip.protocol = kProtoIcmp;
  std::memcpy(ip.src, ends.src.bytes.data(), 4);
  std::memcpy(ip.dst, ends.dst.bytes.data(), 4);
  seal_checksum(ip);
  std::memcpy(to, &ip, sizeof ip);
}

void write_ipv6(std::uint8_t* to, const IpEnds& ends, std::uint32_t len) {
  Ipv6Header ip{};
  ip.version_class_flow = rte_cpu_to_be_32(6u << 28);
  ip.payload_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(len - sizeof ip));
  ip.next_header = kProtoIcmpv6;
  ip.hop_limit = kOuterTtl;
  std::memcpy(ip.src, ends.src.bytes.data(), 16);
  std::memcpy(ip.dst, ends.dst.bytes.data(), 16);
  std::memcpy(to, &ip, sizeof ip);
}

/// The whole datagram in a new mbuf; null: out of buffers.
rte_mbuf* write(Context& context, const rte_mbuf* about, const IpEnds& ends, const Message& message) {
  const bool v4 = ends.src.is_v4();
  const std::uint32_t ip_len = v4 ? sizeof(Ipv4Header) : sizeof(Ipv6Header);
  const std::uint32_t head = ip_len + sizeof(IcmpHeader);
  const std::uint32_t quoted = std::min(about->pkt_len, (v4 ? kMaxLen4 : kMaxLen6) - head);
  rte_mbuf* m = rte_pktmbuf_alloc(context.pool);
  if (m == nullptr) return nullptr;
  auto* bytes =
      reinterpret_cast<std::uint8_t*>(rte_pktmbuf_append(m, static_cast<std::uint16_t>(head + quoted)));
  copy_out(about, 0, quoted, bytes + head);
  v4 ? write_ipv4(bytes, ends, head + quoted) : write_ipv6(bytes, ends, head + quoted);
  auto* icmp = reinterpret_cast<IcmpHeader*>(bytes + ip_len);
  *icmp = {message.type, message.code, 0, rte_cpu_to_be_32(message.rest)};
  icmp->checksum = v4 ? static_cast<rte_be16_t>(~rte_raw_cksum(icmp, sizeof *icmp + quoted))
                      : rte_ipv6_udptcp_cksum(reinterpret_cast<const rte_ipv6_hdr*>(bytes), icmp);
  return m;
}

/// Addresses of the error: from us, or on a wire from who was not reached, to the sender. False: we have
/// none.
bool reply_ends(const PortInfo& port, const IpEnds& ends, IpEnds& reply) {
  reply = {ends.dst, ends.src};
  if (port.wire_peer) return true;
  const IpPrefix* own = own_address(port, ends.src);
  if (own == nullptr) return false;
  reply.src = own->address;
  return true;
}

void send_error(Context& context, const rte_mbuf* about, const IpEnds& ends, const Message& message) {
  const PacketInfo& p = info(about);
  const PortInfo& port = (*context.ports)[p.port];
  IpEnds reply;
  if (!reply_ends(port, ends, reply)) return;
  rte_mbuf* m = write(context, about, reply, message);
  if (m == nullptr) return;
  PacketInfo& q = info(m) = PacketInfo{};
  q.port = p.port;
  q.originated = true;
  q.boundary_free = port.role == Role::kProtected;
  q.back_on_wire = port.wire_peer.has_value();
  q.l2_len = p.l2_len;
  std::memcpy(q.l2, p.l2 + 6, 6);  // back to where it came from
  std::memcpy(q.l2 + 6, p.l2, 6);
  std::memcpy(q.l2 + 12, p.l2 + 12, p.l2_len - 12u);
  [[maybe_unused]] const Verdict verdict = parse_ip(m, ends.src.family);  // our own making: well-formed
  context.originate(m);
}

}  // namespace

bool Limiter::allow(std::uint64_t now_ms) {
  millitokens_ = std::min(kBurst * 1000, millitokens_ + (now_ms - last_ms_) * kPerSecond);
  last_ms_ = now_ms;
  if (millitokens_ < 1000) return false;
  millitokens_ -= 1000;
  return true;
}

void reject(Context& context, rte_mbuf* m, Verdict verdict, Kind kind, unsigned mtu) {
  const IpEnds ends = ip_ends(m);
  if (may_reject(info(m), ends) && context.icmp_limiter->allow(context.now_ms)) {
    send_error(context, m, ends, message_of(ends.src.family, kind, mtu));
  }
  context.end(m, verdict);
}

}  // namespace gate96::icmp_error
