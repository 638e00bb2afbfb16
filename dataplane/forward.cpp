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

/// All tests at once, for nearly every packet: IPv4 in transit between ordinary addresses, to a neighbour
/// that is at hand. False: it may be anything, and the packet is as it was.
bool forward_plain(Context& context, const Resolver& resolver, rte_mbuf* m) {
  if (info(m).family != Family::kIpv4) return false;
  const auto* ip = rte_pktmbuf_mtod(m, const Ipv4Header*);
  if (!is_plain(ip->src) || !is_plain(ip->dst)) return false;
  const rte_be32_t dst = as_number(ip->dst);
  const NextHop* hop = context.tables->routes.lookup_v4(dst);
  if (hop == nullptr || hop->own || m->pkt_len > hop->mtu) return false;
  const EtherHeader* header = resolver.header_to(context, hop->port, hop->via_v4 != 0 ? hop->via_v4 : dst);
  if (header == nullptr || rte_pktmbuf_headroom(m) < sizeof *header || !decrement_ttl(m)) return false;
  std::memcpy(prepend(m, sizeof *header, context.pool), header, sizeof *header);
  context.tx->push(context, hop->port, m);
  return true;
}

void forward_one(Context& context, Resolver& resolver, rte_mbuf* m) {
  if (context.is_wire(info(m).port)) return wire::pass(context, m);
  if (forward_plain(context, resolver, m)) [[likely]]
    return;
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
  for (rte_mbuf* m : list) forward_one(context, resolver, m);
  list.num = 0;
}

}  // namespace gate96
