// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/worker.h"

#include <rte_prefetch.h>
#include <rte_random.h>

#include "dataplane/forward.h"
#include "dataplane/inbound.h"
#include "dataplane/lifetime.h"
#include "dataplane/nd.h"
#include "dataplane/outbound.h"
#include "dataplane/parse.h"
#include "dataplane/sa.h"
#include "dataplane/udp_encap.h"
#include "dataplane/wire.h"

namespace gate96 {
namespace {

constexpr std::uint16_t kFramesAhead = 4;

/// A NIC leaves frames in the last-level cache at best.
void prefetch_headers(const rte_mbuf* m) {
  const auto* data = rte_pktmbuf_mtod(m, const std::uint8_t*);
  rte_prefetch0(data);
  rte_prefetch0(data + RTE_CACHE_LINE_SIZE);
}

}  // namespace

Worker::Worker(const Config& config, const std::vector<PortInfo>& ports, rte_mempool* pool,
               Transmitter& transmitter, Options options)
    : tx_(transmitter),
      resolver_(tx_, options.unknown),
      reassembler_(config.gateway.esp_fragments),
      icv_(config, pool, options.index, options.exchange) {
  context_.ports = &ports;
  context_.pool = pool;
  context_.tx = &tx_;
  context_.fragment_id = static_cast<std::uint32_t>(rte_rand());  // workers are unlikely to meet
  context_.icmp_limiter = &icmp_limiter_;
  context_.counters = &counters_;
  context_.trace = options.trace;
  context_.events = options.events;
  context_.handover = options.handover;
  context_.worker = options.index;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    context_.wire_ports |= std::uint32_t{ports[i].wire_peer.has_value()} << i;
  }
  for (std::size_t i = 0; i < config.ports.size(); ++i) {
    for (const NeighbourConfig& neighbour : config.ports[i].neighbours) {
      resolver_.add_fixed(static_cast<std::uint8_t>(i), neighbour.address, neighbour.mac);
    }
  }
}

void Worker::enter(const Tables& tables) {
  if (context_.tables != nullptr) drain_all();  // deferred packets hold SAs of the old ones
  context_.tables = &tables;
  for (const Tables::Succession& succession : tables.successions) {
    if (!owns(context_, *succession.to)) continue;
    succession.to->succeed(*succession.from);
    inherit_age(context_, *succession.to, *succession.from);
  }
}

void Worker::receive(const Tables& tables, std::uint8_t port, rte_mbuf** frames, std::uint16_t num) {
  context_.tables = &tables;
  const fpu::Arrival arrival(icv_.fpu());
  PacketList list;
  parse(port, frames, num, list);
  reassembler_.collect(context_, list);
  stages_.lap(Stage::kParse);
  (*context_.ports)[port].role == Role::kProtected ? outbound(list) : inbound(list);
  finish();
}

// From the wide network: ESP is checked and opened, clear packets need a policy that lets them in.
void Worker::inbound(PacketList& list) {
  PacketList esp;
  inbound::find_sa(context_, list, esp);
  pass_to_owners(context_, esp, Handed::kInbound);
  stages_.lap(Stage::kPolicy);
  open(esp);
  inbound::check_clear(context_, list);
  stages_.lap(Stage::kPolicy);
  forward(context_, resolver_, list);
  stages_.lap(Stage::kForward);
}

// The ESP packets of our SAs.
void Worker::open(PacketList& esp) {
  counters_.esp_in.add(esp.num);
  inbound::check_replay(context_, esp);
  stages_.lap(Stage::kEsp);
  icv_.settle(context_, esp);
  stages_.lap(Stage::kIcv);
  accept(esp);
}

// ESP whose ICV is known to be good or bad, at once or after a drain.
void Worker::accept(PacketList& esp) {
  inbound::decapsulate(context_, esp);
  inbound::check_selectors(context_, esp);
  stages_.lap(Stage::kEsp);
  forward(context_, resolver_, esp);
  stages_.lap(Stage::kForward);
}

// From the protected side, or of our own making: a policy says whether ESP goes around it.
void Worker::outbound(PacketList& list) {
  PacketList protect;
  outbound::apply_policy(context_, list, protect);
  pass_to_owners(context_, protect, Handed::kOutbound);
  stages_.lap(Stage::kPolicy);
  seal(protect);
  forward(context_, resolver_, list);
  stages_.lap(Stage::kForward);
}

// The packets that leave through our SAs.
void Worker::seal(PacketList& protect) {
  outbound::encapsulate(context_, protect);
  stages_.lap(Stage::kEsp);
  icv_.settle(context_, protect);
  stages_.lap(Stage::kIcv);
  send_sealed(protect);
}

// ESP with its ICV, at once or after a drain.
void Worker::send_sealed(PacketList& protect) {
  counters_.esp_out.add(protect.num);
  udp_encap::seal_checksums(protect);
  forward(context_, resolver_, protect);
  stages_.lap(Stage::kForward);
}

bool Worker::take_over(const Tables& tables) {
  if (context_.handover == nullptr) return false;
  context_.tables = &tables;
  Lesson lesson;
  while (context_.handover->hear(context_.worker, lesson)) resolver_.learn(context_, lesson);
  PacketList list;
  list.num = static_cast<std::uint16_t>(context_.handover->take(context_.worker, list.packets, kMaxPackets));
  if (list.num == 0) return false;
  counters_.ended[static_cast<std::size_t>(Verdict::kHeld)].sub(list.num);
  const fpu::Arrival arrival(icv_.fpu());
  resume(list);
  finish();
  return true;
}

// Each goes on where the other worker left it. If that worker saw other tables than these, the SA may be
// gone, and its memory too: it is looked up again. A ring keeps the order, and so do we: what saw older
// tables came first, what saw newer ones last.
void Worker::resume(PacketList& list) {
  Handovers older, known, newer;
  for (rte_mbuf* m : list) {
    const PacketInfo& p = info(m);
    const auto ahead = static_cast<std::int32_t>(p.generation - context_.tables->generation);
    Handovers& these = ahead == 0 ? known : ahead < 0 ? older : newer;
    switch (p.handed) {
      case Handed::kInbound:
        these.inbound.push(m);
        break;
      case Handed::kOutbound:
        these.outbound.push(m);
        break;
      case Handed::kFrame:
        tx_.push(context_, p.port, m);
        break;
    }
  }
  look_up_again(older);
  open(known.inbound);
  seal(known.outbound);
  look_up_again(newer);
}

void Worker::look_up_again(Handovers& packets) {
  for (rte_mbuf* m : packets.inbound) inbound::forget_sa(m);
  for (rte_mbuf* m : packets.outbound) info(m).sa = nullptr;
  if (packets.inbound.num > 0) inbound(packets.inbound);
  if (packets.outbound.num > 0) outbound(packets.outbound);
}

void Worker::finish() {
  send_originated();
  tx_.flush(context_);
  stages_.lap(Stage::kTransmit);
}

void Worker::send_originated() {
  if (context_.originated.num == 0) return;
  PacketList list;
  PacketList free;
  for (rte_mbuf* m : context_.originated) (info(m).boundary_free ? free : list).push(m);
  context_.originated.num = 0;
  forward(context_, resolver_, free);
  outbound(list);
}

void Worker::parse(std::uint8_t port, rte_mbuf** frames, std::uint16_t num, PacketList& list) {
  const PortInfo& own = (*context_.ports)[port];
  PortCounters& counters = counters_.ports[port];
  std::uint64_t bytes = 0;
  for (std::uint16_t i = 0; i < num; ++i) {
    rte_mbuf* m = frames[i];
    if (i + kFramesAhead < num) prefetch_headers(frames[i + kFramesAhead]);
    bytes += m->pkt_len;
    const std::uint32_t number = info(m).number;
    PacketInfo& p = new_info(m);
    p.number = number;
    p.port = port;
    p.ttl_done = own.wire_peer.has_value();  // a wire is no hop
    const FrameResult result = parse_frame(m, own.wire_peer ? kAnyMac : own.mac);
    if (result.verdict != Verdict::kPass) {
      context_.end(m, result.verdict);
    } else if (result.kind != FrameKind::kIpv4 && (result.kind == FrameKind::kArp || nd::is_nd(m))) {
      neighbour_packet(own, result.kind, m);
    } else if (m->pkt_len > own.mtu) {
      context_.end(m, Verdict::kFrameLong);
    } else {
      list.push(m);
    }
  }
  counters.rx_packets.add(num);
  counters.rx_bytes.add(bytes);
}

// ARP and neighbour discovery are exempt from the SPD.
void Worker::neighbour_packet(const PortInfo& port, FrameKind kind, rte_mbuf* m) {
  if (port.wire_peer) return wire::pass(context_, m);
  kind == FrameKind::kArp ? resolver_.receive_arp(context_, m) : resolver_.receive_nd(context_, m);
}

void Worker::tick(const Tables& tables, std::uint64_t now_ms) {
  context_.tables = &tables;
  context_.now_ms = now_ms;
  resolver_.tick(context_);
  age(context_);
  if (context_.events != nullptr) context_.events->tick(now_ms);
  reassembler_.tick(context_);
  udp_encap::send_keepalives(context_);
  send_originated();
  tx_.flush(context_);
}

bool Worker::drain(const Tables& tables) {
  if (!icv_.may_drain()) [[likely]]
    return false;
  context_.tables = &tables;
  PacketList esp;
  PacketList sealed;
  const bool any = icv_.drain(context_, esp, sealed);
  accept(esp);
  send_sealed(sealed);
  send_originated();
  tx_.flush(context_);
  return any;
}

void Worker::drain_all() {
  while (icv_.has_queued()) drain(*context_.tables);
}

void Worker::stop() {
  drain_all();
  icv_.stop();
  while (!icv_.all_stop()) drain(*context_.tables);  // others' packets are still to be hashed
  resolver_.drop_held(context_, Verdict::kNoNeighbour);
  reassembler_.drop_all(context_);
  tx_.flush(context_);
}

}  // namespace gate96
