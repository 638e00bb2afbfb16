// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/local.h"

#include <algorithm>

#include "dataplane/ip_edit.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/outer_header.h"
#include "dataplane/parse.h"
#include "dataplane/path_mtu.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

struct Echo {
  std::uint8_t protocol;
  std::uint8_t request;
  std::uint8_t reply;
};
constexpr Echo kEcho4 = {kProtoIcmp, 8, 0};
constexpr Echo kEcho6 = {kProtoIcmpv6, 128, 129};

bool is_echo_request(rte_mbuf* m, const Echo& echo) {
  const PacketInfo& p = info(m);
  return p.protocol == echo.protocol && !p.fragment && p.ports_kind == PortsKind::kIcmp &&
         p.src_port == echo.request && p.dst_port == 0 && m->pkt_len >= p.header_len + sizeof(IcmpHeader) &&
         pull_up(m, p.header_len + sizeof(IcmpHeader));
}

/// Turns the request into its reply in place. The ICMP checksum is adjusted (RFC 1624), not made anew: a
/// request that was damaged stays damaged. Swapping the addresses changes no sum.
void turn_round(rte_mbuf* m, const Echo& echo) {
  if (info(m).family == Family::kIpv4) {
    auto* ip = rte_pktmbuf_mtod(m, Ipv4Header*);
    std::swap_ranges(ip->src, ip->src + 4, ip->dst);
    ip->ttl = kOuterTtl;
    ip->fragment = 0;
    set_ip_len(m);
  } else {
    auto* ip = rte_pktmbuf_mtod(m, Ipv6Header*);
    std::swap_ranges(ip->src, ip->src + 16, ip->dst);
    ip->hop_limit = kOuterTtl;
  }
  auto* icmp = rte_pktmbuf_mtod_offset(m, IcmpHeader*, info(m).header_len);
  icmp->type = echo.reply;
  std::uint32_t sum = static_cast<std::uint16_t>(~rte_be_to_cpu_16(icmp->checksum));
  sum += static_cast<std::uint16_t>(~(echo.request << 8));
  sum += static_cast<std::uint32_t>(echo.reply << 8);
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  icmp->checksum = rte_cpu_to_be_16(static_cast<std::uint16_t>(~sum));
}

}  // namespace

void deliver_local(Context& context, rte_mbuf* m) {
  const Family family = info(m).family;
  const Echo& echo = family == Family::kIpv4 ? kEcho4 : kEcho6;
  if (learn_path_mtu(context, m)) return context.end(m, Verdict::kLocal);
  if (!is_echo_request(m, echo)) return context.end(m, Verdict::kLocalRefused);
  context.note(m, Verdict::kLocal);
  turn_round(m, echo);
  const std::uint8_t port = info(m).port;
  info(m) = PacketInfo{};
  info(m).port = port;
  info(m).originated = true;
  // Fills in what the policies ask about; the reply is as well-formed as the request was.
  [[maybe_unused]] const Verdict verdict = parse_ip(m, family);
  info(m).dont_fragment = false;  // as its source we may cut IPv6 too
  context.originate(m);
}

}  // namespace gate96
