// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/resolver.h"

#include <algorithm>
#include <cstring>

#include "dataplane/arp.h"
#include "dataplane/mbuf_ops.h"
#include "dataplane/nd.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

bool is_own(const PortInfo& port, const IpAddress& address) {
  return address == port.link_local ||
         std::any_of(port.addresses.begin(), port.addresses.end(),
                     [&](const IpPrefix& own) { return own.address == address; });
}

bool on_link(const PortInfo& port, const IpAddress& address) {
  if (!address.is_v4() && address.is_link_local()) return port.link_local.has_value();
  return std::any_of(port.addresses.begin(), port.addresses.end(),
                     [&](const IpPrefix& own) { return own.network().contains(address); });
}

}  // namespace

Resolver::Resolver(TxBuffers& tx, Unknown unknown) : tx_(tx), unknown_(unknown) {
  held_.reserve(kMaxHeld);
}

void Resolver::send(Context& context, rte_mbuf* m, std::uint8_t port, const IpAddress& next_hop) {
  const NeighbourTable::Route route = table_.use(port, next_hop, context.now_ms);
  if (route.mac != nullptr) [[likely]] {
    transmit(context, m, port, *route.mac);
    if (!route.ask) return remember(context, port, next_hop, *route.entry);
    if (unknown_ == Unknown::kAsk) ask(context, port, next_hop);
  } else if (unknown_ == Unknown::kZeroMac) {
    transmit(context, m, port, MacAddress{});
  } else if (route.failed) {
    context.end(m, Verdict::kNoNeighbour);
    give_up(context, port, next_hop);
  } else {
    hold(context, m, port, next_hop);
    if (route.ask) ask(context, port, next_hop);
  }
}

void Resolver::remember(const Context& context, std::uint8_t port, const IpAddress& next_hop,
                        NeighbourTable::Entry& entry) {
  if (!next_hop.is_v4()) return;
  rte_be32_t address = 0;
  std::memcpy(&address, next_hop.bytes.data(), sizeof address);
  adjacencies_.put(table_, port, address, entry, (*context.ports)[port].mac);
}

void Resolver::transmit(Context& context, rte_mbuf* m, std::uint8_t port, const MacAddress& to) {
  const Family family = info(m).family;
  auto* ether = reinterpret_cast<EtherHeader*>(prepend(m, sizeof(EtherHeader), context.pool));
  if (ether == nullptr) return context.end(m, Verdict::kNoRoom);
  std::memcpy(ether->dst, to.bytes.data(), 6);
  std::memcpy(ether->src, (*context.ports)[port].mac.bytes.data(), 6);
  ether->type = rte_cpu_to_be_16(family == Family::kIpv4 ? kEtherTypeIpv4 : kEtherTypeIpv6);
  tx_.push(context, port, m);
}

void Resolver::hold(Context& context, rte_mbuf* m, std::uint8_t port, const IpAddress& next_hop) {
  const auto waiting = std::count_if(held_.begin(), held_.end(), [&](const Held& held) {
    return held.port == port && held.next_hop == next_hop;
  });
  if (held_.size() >= kMaxHeld || static_cast<std::size_t>(waiting) >= kMaxHeldForOne) {
    return context.end(m, Verdict::kHoldFull);
  }
  context.counters->ended[static_cast<std::size_t>(Verdict::kHeld)].add();
  info(m).sa = nullptr;  // the packet may outlive it
  held_.push_back({m, port, next_hop});
}

template <class Then>
void Resolver::release(Context& context, std::uint8_t port, const IpAddress& address, Then&& then) {
  const auto first = std::stable_partition(held_.begin(), held_.end(), [&](const Held& held) {
    return held.port != port || held.next_hop != address;
  });
  for (auto held = first; held != held_.end(); ++held) {
    context.counters->ended[static_cast<std::size_t>(Verdict::kHeld)].sub();
    then(held->m);
  }
  held_.erase(first, held_.end());
}

void Resolver::give_up(Context& context, std::uint8_t port, const IpAddress& address) {
  release(context, port, address, [&](rte_mbuf* m) { context.end(m, Verdict::kNoNeighbour); });
}

void Resolver::ask(Context& context, std::uint8_t port, const IpAddress& address) {
  const PortInfo& own = (*context.ports)[port];
  const IpPrefix* source = own_address(own, address);
  if (source == nullptr) return;
  originate(context, port, [&](rte_mbuf* m) {
    return address.is_v4() ? arp::write_request(m, own, source->address, address)
                           : nd::write_solicitation(m, own, source->address, address);
  });
}

template <class Write>
void Resolver::originate(Context& context, std::uint8_t port, Write&& write) {
  rte_mbuf* m = rte_pktmbuf_alloc(context.pool);
  if (m == nullptr) return;  // the neighbour will be asked, or will ask, again
  info(m) = PacketInfo{};
  if (!write(m)) return rte_pktmbuf_free(m);
  context.counters->originated.add();
  tx_.push(context, port, m);
}

void Resolver::heard(Context& context, std::uint8_t port, const IpAddress& address, const MacAddress& mac,
                     bool create) {
  const PortInfo& own = (*context.ports)[port];
  if (!on_link(own, address) || is_own(own, address)) return;
  const Lesson lesson{address, mac, port, create};
  if (context.handover != nullptr) context.handover->tell(context.worker, lesson);
  learn(context, lesson);
}

void Resolver::receive_arp(Context& context, rte_mbuf* m) {
  const std::uint8_t port = info(m).port;
  const PortInfo& own = (*context.ports)[port];
  const auto message = arp::read(m);
  if (!message) return context.end(m, Verdict::kArpBad);
  const bool for_us = is_own(own, message->target);
  heard(context, port, message->sender, message->sender_mac, for_us);
  context.end(m, Verdict::kConsumed);
  if (!for_us || message->operation != arp::Operation::kRequest) return;
  originate(context, port, [&](rte_mbuf* reply) { return arp::write_reply(reply, own, *message); });
}

void Resolver::receive_nd(Context& context, rte_mbuf* m) {
  const std::uint8_t port = info(m).port;
  const PortInfo& own = (*context.ports)[port];
  const std::uint16_t type = info(m).src_port;
  if (type != nd::kSolicitation && type != nd::kAdvertisement) return context.end(m, Verdict::kConsumed);
  const auto message = nd::read(m);
  if (!message) return context.end(m, Verdict::kNdBad);
  context.end(m, Verdict::kConsumed);
  if (type == nd::kAdvertisement) {
    if (message->mac) heard(context, port, message->target, *message->mac, false);
    return;
  }
  if (!is_own(own, message->target)) return;
  if (message->mac) heard(context, port, message->src, *message->mac, true);
  originate(context, port, [&](rte_mbuf* reply) { return nd::write_advertisement(reply, own, *message); });
}

void Resolver::learn(Context& context, const Lesson& lesson) {
  table_.learn(lesson.port, lesson.address, lesson.mac, context.now_ms, lesson.create);
  release(context, lesson.port, lesson.address,
          [&](rte_mbuf* m) { transmit(context, m, lesson.port, lesson.mac); });
}

void Resolver::tick(Context& context) {
  for (std::size_t i = 0; i < held_.size();) {
    const Held held = held_[i];
    const NeighbourTable::Route route = table_.use(held.port, held.next_hop, context.now_ms);
    if (route.ask) ask(context, held.port, held.next_hop);
    if (!route.failed) {
      ++i;
      continue;
    }
    give_up(context, held.port, held.next_hop);
  }
}

void Resolver::drop_held(Context& context, Verdict verdict) {
  for (const Held& held : held_) {
    context.counters->ended[static_cast<std::size_t>(Verdict::kHeld)].sub();
    context.end(held.m, verdict);
  }
  held_.clear();
}

}  // namespace gate96
