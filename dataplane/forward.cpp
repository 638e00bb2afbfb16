// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/forward.h"

#include "dataplane/fragment.h"
#include "dataplane/icmp_error.h"
#include "dataplane/ip_edit.h"
#include "dataplane/ip_ends.h"
#include "dataplane/local.h"
#include "dataplane/wire.h"

namespace gate96 {
namespace {

void send(Context& context, Resolver& resolver, rte_mbuf* m, const NextHop& hop, const IpAddress& dst) {
  const IpAddress& next = hop.via ? *hop.via : dst;
  const unsigned mtu = (*context.ports)[hop.port].mtu;
  if (m->pkt_len <= mtu) [[likely]]
    return resolver.send(context, m, hop.port, next);
  if (!may_fragment(m))
    return icmp_error::reject(context, m, Verdict::kTooBig, icmp_error::Kind::kTooBig, mtu);
  PacketList pieces;
  fragment(context, m, mtu, pieces);
  for (rte_mbuf* piece : pieces) resolver.send(context, piece, hop.port, next);
}

void forward_one(Context& context, Resolver& resolver, rte_mbuf* m) {
  if ((*context.ports)[info(m).port].wire_peer) return wire::pass(context, m);
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
