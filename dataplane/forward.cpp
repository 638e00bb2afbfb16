// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/forward.h"

#include <cstring>

#include "dataplane/ip_edit.h"
#include "dataplane/local.h"
#include "dataplane/wire.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

struct Ends {
  IpAddress src;
  IpAddress dst;
};

Ends ends_of(const rte_mbuf* m) {
  Ends ends;
  ends.src.family = ends.dst.family = info(m).family;
  const auto* bytes = rte_pktmbuf_mtod(m, const std::uint8_t*);
  if (ends.src.is_v4()) {
    std::memcpy(ends.src.bytes.data(), bytes + offsetof(Ipv4Header, src), 4);
    std::memcpy(ends.dst.bytes.data(), bytes + offsetof(Ipv4Header, dst), 4);
  } else {
    std::memcpy(ends.src.bytes.data(), bytes + offsetof(Ipv6Header, src), 16);
    std::memcpy(ends.dst.bytes.data(), bytes + offsetof(Ipv6Header, dst), 16);
  }
  return ends;
}

bool is_loopback(const IpAddress& address) {
  constexpr std::array<std::uint8_t, 16> kV6Loopback = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return address.is_v4() ? address.bytes[0] == 127 : address.bytes == kV6Loopback;
}

/// RFC 1812 5.3.7: sources that no packet in transit may have.
bool martian_source(const IpAddress& src) {
  return src.is_multicast() || src.is_unspecified() || is_loopback(src);
}

bool is_broadcast(const IpAddress& dst) {
  return dst.is_v4() && std::memcmp(dst.bytes.data(), "\xff\xff\xff\xff", 4) == 0;
}

void forward_one(Context& context, Resolver& resolver, rte_mbuf* m) {
  if ((*context.ports)[info(m).port].wire_peer) return wire::pass(context, m);
  const Ends ends = ends_of(m);
  const Tables& tables = *context.tables;
  if (!info(m).originated && martian_source(ends.src)) return context.end(m, Verdict::kIpSource);
  if (tables.routes.is_own(ends.dst.family, ends.dst.bytes.data())) return deliver_local(context, m);
  if (ends.dst.is_multicast() || is_broadcast(ends.dst)) return context.end(m, Verdict::kIpMulticast);
  if (!decrement_ttl(m)) return context.end(m, Verdict::kTtlExpired);
  const NextHop* hop = tables.routes.lookup(ends.dst.family, ends.dst.bytes.data());
  if (hop == nullptr || is_loopback(ends.dst)) return context.end(m, Verdict::kNoRoute);
  if (m->pkt_len > (*context.ports)[hop->port].mtu) return context.end(m, Verdict::kTooBig);
  resolver.send(context, m, hop->port, hop->via ? *hop->via : ends.dst);
}

}  // namespace

void forward(Context& context, Resolver& resolver, PacketList& list) {
  for (rte_mbuf* m : list) forward_one(context, resolver, m);
  list.num = 0;
}

}  // namespace gate96
