// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/forward.h"

#include <cstring>

#include "dataplane/fragment.h"
#include "dataplane/icmp_error.h"
#include "dataplane/ip_edit.h"
#include "dataplane/ip_ends.h"
#include "dataplane/local.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/wire.h"

namespace gate96 {
namespace {

/// Neither "this network", loopback, multicast nor reserved (RFC 6890 2.2.2): such need a closer look.
bool is_plain(const std::uint8_t* address) {
  return address[0] - 1u < 0xe0 - 1u && address[0] != 127;
}

rte_be32_t as_number(const std::uint8_t* address) {
  rte_be32_t number = 0;
  std::memcpy(&number, address, sizeof number);
  return number;
}

void send(Context& context, Resolver& resolver, rte_mbuf* m, const NextHop& hop, const IpAddress& dst) {
  const IpAddress& next = hop.via ? *hop.via : dst;
  if (m->pkt_len <= hop.mtu) [[likely]]
    return resolver.send(context, m, hop.port, next);
  if (!may_fragment(m))
    return icmp_error::reject(context, m, Verdict::kTooBig, icmp_error::Kind::kTooBig, hop.mtu);
  PacketList pieces;
  fragment(context, m, hop.mtu, pieces);
  for (rte_mbuf* piece : pieces) resolver.send(context, piece, hop.port, next);
}

/// Where the packet before went, which the next one's destination is mostly again.
struct Way {
  rte_be32_t dst = 0;  // 0.0.0.0, to which nothing is forwarded: none yet
  std::uint8_t port = 0;
  unsigned mtu = 0;
  const EtherHeader* header = nullptr;
};

/// False unless the destination lies beyond a neighbour that is at hand.
bool find_way(const Context& context, const Resolver& resolver, rte_be32_t dst, Way& way) {
  const NextHop* hop = context.tables->routes.lookup_v4(dst);
  if (hop == nullptr || hop->own) return false;
  const EtherHeader* header = resolver.header_to(context, hop->port, hop->via_v4 != 0 ? hop->via_v4 : dst);
  if (header == nullptr) return false;
  way = {dst, hop->port, hop->mtu, header};
  return true;
}

/// All tests at once, for nearly every packet: IPv4 in transit between ordinary addresses. False: it may be
/// anything, and the packet is as it was.
inline bool forward_plain(Context& context, const Resolver& resolver, rte_mbuf* m, Way& way) {
  PacketInfo& p = info(m);
  if (p.family != Family::kIpv4 || context.is_wire(p.port)) return false;
  auto* ip = rte_pktmbuf_mtod(m, Ipv4Header*);
  if (!is_plain(ip->src) || !is_plain(ip->dst)) return false;
  const rte_be32_t dst = as_number(ip->dst);
  if (dst != way.dst && !find_way(context, resolver, dst, way)) return false;
  if (m->pkt_len > way.mtu || m->data_off < sizeof(EtherHeader)) return false;
  if (!p.ttl_done && !p.originated) {
    if (ip->ttl <= 1) return false;
    decrement_ttl(*ip);
  }
  std::memcpy(prepend(m, sizeof(EtherHeader), context.pool), way.header, sizeof(EtherHeader));
  context.tx->push(context, way.port, m);
  return true;
}

[[gnu::noinline]] void forward_any(Context& context, Resolver& resolver, rte_mbuf* m) {
  if (context.is_wire(info(m).port)) return wire::pass(context, m);
  const IpEnds ends = ip_ends(m);
  const Routes& routes = context.tables->routes;
  if (!info(m).originated && is_martian_source(ends.src)) return context.end(m, Verdict::kIpSource);
  if (routes.is_own(ends.dst.family, ends.dst.bytes.data())) return deliver_local(context, m);
  if (ends.dst.is_multicast() || is_broadcast(ends.dst)) return context.end(m, Verdict::kIpMulticast);
  if (!decrement_ttl(m))
    return icmp_error::reject(context, m, Verdict::kTtlExpired, icmp_error::Kind::kTimeExceeded);
  const NextHop* hop = routes.lookup(ends.dst.family, ends.dst.bytes.data());
  if (hop == nullptr || is_loopback(ends.dst)) return context.end(m, Verdict::kNoRoute);
  send(context, resolver, m, *hop, ends.dst);
}

}  // namespace

void forward(Context& context, Resolver& resolver, PacketList& list) {
  Way way;
  for (rte_mbuf* m : list) {
    if (forward_plain(context, resolver, m, way)) [[likely]]
      continue;
    forward_any(context, resolver, m);
    way = {};  // the neighbour table may have changed
  }
  list.num = 0;
}

}  // namespace gate96
