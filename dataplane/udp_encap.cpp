// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/udp_encap.h"

#include <rte_ip.h>

#include <cstring>

#include "dataplane/mbuf_ops.h"
#include "dataplane/outer_header.h"
#include "dataplane/parse.h"
#include "dataplane/sa.h"
#include "dataplane/wire_format.h"

namespace gate96::udp_encap {
namespace {

constexpr std::uint32_t kMarkerLen = 4;
constexpr std::uint8_t kKeepaliveByte = 0xff;

void send_keepalive(Context& context, Sa& sa) {
  rte_mbuf* m = rte_pktmbuf_alloc(context.pool);
  if (m == nullptr) return;
  const std::uint16_t header_len = outer_header_len(sa);  // with UDP
  auto* bytes =
      reinterpret_cast<std::uint8_t*>(rte_pktmbuf_append(m, static_cast<std::uint16_t>(header_len + 1)));
  write_outer_header(bytes, sa, OuterFields{}, header_len + 1u);
  bytes[header_len] = kKeepaliveByte;
  PacketInfo& p = info(m) = PacketInfo{};
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
    auto* ip = rte_pktmbuf_mtod(m, rte_ipv6_hdr*);
    auto* udp = rte_pktmbuf_mtod_offset(m, UdpHeader*, at);
    std::uint32_t sum = 0;
    std::uint16_t data = 0;
    if (rte_raw_cksum_mbuf(m, at, m->pkt_len - at, &data) != 0) continue;
    // The pseudo header has the UDP length, which differs from the payload length behind extension headers.
    rte_ipv6_hdr pseudo = *ip;
    pseudo.proto = kProtoUdp;
    pseudo.payload_len = udp->len;
    sum = data + std::uint32_t{rte_ipv6_phdr_cksum(&pseudo, 0)};
    sum = (sum & 0xffff) + (sum >> 16);
    const auto checksum = static_cast<std::uint16_t>(~sum);
    udp->checksum = checksum == 0 ? 0xffff : checksum;
  }
}

void send_keepalives(Context& context) {
  for (Sa* sa : context.tables->keepalive_sas) {
    if (!owns(context, *sa)) continue;
    if (context.now_ms - sa->last_sent_ms < sa->udp_encap->keepalive_seconds * 1000u) continue;
    sa->last_sent_ms = context.now_ms;
    send_keepalive(context, *sa);
  }
}

}  // namespace gate96::udp_encap
