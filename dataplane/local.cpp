// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/local.h"

#include <algorithm>

#include "dataplane/ip_edit.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/outer_header.h"
#include "dataplane/parse.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

constexpr std::uint8_t kEchoRequest = 8;
constexpr std::uint8_t kEchoReply = 0;

bool is_echo_request(rte_mbuf* m) {
  const PacketInfo& p = info(m);
  return p.family == Family::kIpv4 && p.protocol == kProtoIcmp && !p.fragment &&
         p.ports_kind == PortsKind::kIcmp && p.src_port == kEchoRequest && p.dst_port == 0 &&
         m->pkt_len >= p.header_len + sizeof(IcmpHeader) && pull_up(m, p.header_len + sizeof(IcmpHeader));
}

/// Turns the request into its reply in place. The ICMP checksum is adjusted, not made anew: a request that
/// was damaged stays damaged.
void turn_round(rte_mbuf* m) {
  auto* ip = rte_pktmbuf_mtod(m, Ipv4Header*);
  std::swap_ranges(ip->src, ip->src + 4, ip->dst);
  ip->ttl = kOuterTtl;
  ip->fragment = 0;
  auto* icmp = rte_pktmbuf_mtod_offset(m, IcmpHeader*, info(m).header_len);
  icmp->type = kEchoReply;
  const std::uint32_t sum = std::uint32_t{rte_be_to_cpu_16(icmp->checksum)} + (kEchoRequest << 8);
  icmp->checksum = rte_cpu_to_be_16(static_cast<std::uint16_t>(sum + (sum >> 16)));
  set_ip_len(m);
}

}  // namespace

void deliver_local(Context& context, rte_mbuf* m) {
  if (!is_echo_request(m)) return context.end(m, Verdict::kLocalRefused);
  context.note(m, Verdict::kLocal);
  turn_round(m);
  const std::uint8_t port = info(m).port;
  info(m) = PacketInfo{};
  info(m).port = port;
  info(m).originated = true;
  // Fills in what the policies ask about; the reply is as well-formed as the request was.
  [[maybe_unused]] const Verdict verdict = parse_ip(m, Family::kIpv4);
  context.originate(m);
}

}  // namespace gate96
