// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/udp_encap.h"

#include <rte_ip.h>

#include <cstring>
#include <optional>

#include "dataplane/mbuf_ops.h"
#include "dataplane/outer_header.h"
#include "dataplane/parse.h"
#include "dataplane/sa.h"
#include "dataplane/wire_format.h"

namespace gate96::udp_encap {
namespace {

constexpr std::uint32_t kMarkerLen = 4;
constexpr std::uint8_t kKeepaliveByte = 0xff;

/// Where a protocol's checksum over the pseudo header lies in its header; nullopt: it has none that we mend.
std::optional<std::uint16_t> checksum_at(const PacketInfo& p) {
  switch (p.protocol) {
    case kProtoTcp:
      return 16;
    case kProtoUdp:
      return 6;
    case kProtoIcmpv6:
      return p.family == Family::kIpv6 ? std::optional<std::uint16_t>(2) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// Of the pseudo header for the `len` bytes behind the IP header and its extensions.
std::uint32_t pseudo_sum(const rte_mbuf* m, std::uint8_t protocol, std::uint32_t len) {
  if (info(m).family == Family::kIpv4) return rte_ipv4_phdr_cksum(rte_pktmbuf_mtod(m, rte_ipv4_hdr*), 0);
  rte_ipv6_hdr pseudo = *rte_pktmbuf_mtod(m, const rte_ipv6_hdr*);
  pseudo.proto = protocol;
  pseudo.payload_len = rte_cpu_to_be_16(static_cast<std::uint16_t>(len));
  return rte_ipv6_phdr_cksum(&pseudo, 0);
}

/// The checksum of the `len` bytes from `at` on, in which its own field is 0. 0 where it cannot be had.
std::uint16_t whole_checksum(const rte_mbuf* m, std::uint32_t at, std::uint32_t len, std::uint8_t protocol) {
  std::uint16_t data = 0;
  if (rte_raw_cksum_mbuf(m, at, len, &data) != 0) return 0;
  std::uint32_t sum = data + pseudo_sum(m, protocol, len);
  sum = (sum & 0xffff) + (sum >> 16);
  const auto checksum = static_cast<std::uint16_t>(~sum);
  return checksum == 0 && protocol == kProtoUdp ? std::uint16_t{0xffff} : checksum;
}

/// How much behind the header at `at` a checksum in it covers: UDP's own length, behind which a sender may
/// pad (RFC 768; RFC 8200 8.1; RFC 4303 2.7), else all that IP has. 0: none, and its receiver will see why.
std::uint32_t covered_len(const rte_mbuf* m, std::uint32_t at, std::uint8_t protocol) {
  const std::uint32_t ip_len = m->pkt_len - at;
  if (protocol != kProtoUdp) return ip_len;
  const auto* udp = rte_pktmbuf_mtod_offset(m, const UdpHeader*, at);
  const std::uint32_t len = rte_be_to_cpu_16(udp->len);
  return udp->checksum == 0 || len < sizeof *udp || len > ip_len ? 0 : len;
}

void send_keepalive(Context& context, Sa& sa, std::uint8_t port) {
  rte_mbuf* m = rte_pktmbuf_alloc(context.pool);
  if (m == nullptr) return;
  const std::uint16_t header_len = outer_header_len(sa);  // with UDP
  auto* bytes =
      reinterpret_cast<std::uint8_t*>(rte_pktmbuf_append(m, static_cast<std::uint16_t>(header_len + 1)));
  write_outer_header(bytes, sa, OuterFields{}, header_len + 1u);
  bytes[header_len] = kKeepaliveByte;
  PacketInfo& p = info(m) = PacketInfo{};
  p.port = port;
  p.originated = p.boundary_free = true;  // RFC 3948 4: it belongs to the SA, not to the traffic
  p.udp_checksum = !sa.dst.is_v4();
  [[maybe_unused]] const Verdict verdict = parse_ip(m, sa.dst.family);
  PacketList one;
  one.push(m);
  seal_checksums(one);
  context.originate(m);
}

}  // namespace

Payload classify(const rte_mbuf* m) {
  const std::uint32_t at = info(m).header_len + sizeof(UdpHeader);
  std::uint8_t head[kMarkerLen] = {1};
  if (m->pkt_len == at + 1) {
    copy_out(m, at, 1, head);
    if (head[0] == kKeepaliveByte) return Payload::kKeepalive;
  }
  if (m->pkt_len < at + kMarkerLen) return Payload::kEsp;  // which will find it too short
  copy_out(m, at, kMarkerLen, head);
  return (head[0] | head[1] | head[2] | head[3]) == 0 ? Payload::kIke : Payload::kEsp;
}

void write_header(std::uint8_t* to, const UdpEncapConfig& ports, std::uint32_t esp_len) {
  const UdpHeader udp = {rte_cpu_to_be_16(ports.src_port), rte_cpu_to_be_16(ports.dst_port),
                         rte_cpu_to_be_16(static_cast<std::uint16_t>(sizeof udp + esp_len)), 0};
  std::memcpy(to, &udp, sizeof udp);
}

void seal_checksums(PacketList& list) {
  for (rte_mbuf* m : list) {
    if (!info(m).udp_checksum) [[likely]]
      continue;
    const auto at = static_cast<std::uint16_t>(info(m).header_len -
                                               (info(m).protocol == kProtoEsp ? sizeof(UdpHeader) : 0));
    auto* udp = rte_pktmbuf_mtod_offset(m, UdpHeader*, at);
    udp->checksum = whole_checksum(m, at, m->pkt_len - at, kProtoUdp);
  }
}

void mend_checksum(rte_mbuf* m) {
  const PacketInfo& p = info(m);
  const auto within = checksum_at(p);
  if (!within || p.fragment || m->pkt_len < p.header_len + *within + 2u) return;
  const std::uint16_t at = p.header_len + *within;
  if (!pull_up(m, at + 2u)) return;  // its receiver will find the sum wrong
  auto* field = rte_pktmbuf_mtod_offset(m, rte_be16_t*, at);
  const bool needs_none = p.protocol == kProtoUdp && p.family == Family::kIpv4;
  const std::uint32_t len = needs_none ? 0 : covered_len(m, p.header_len, p.protocol);
  if (len == 0 && !needs_none) return;
  *field = 0;
  if (!needs_none) *field = whole_checksum(m, p.header_len, len, p.protocol);
}

void send_keepalives(Context& context) {
  for (const auto& [sa, port] : context.tables->keepalives) {
    if (!owns(context, *sa)) continue;
    if (context.now_ms - sa->last_sent_ms < sa->udp_encap->keepalive_seconds * 1000u) continue;
    sa->last_sent_ms = context.now_ms;
    send_keepalive(context, *sa, port);
  }
}

}  // namespace gate96::udp_encap
