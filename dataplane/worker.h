// SPDX-License-Identifier: BSD-3-Clause
// One lcore's packet loop. worker.cpp is the map of the whole data path.
#pragma once

#include "dataplane/context.h"
#include "dataplane/icmp_error.h"
#include "dataplane/icv.h"
#include "dataplane/parse.h"
#include "dataplane/reassembler.h"
#include "dataplane/resolver.h"
#include "dataplane/stage_clock.h"
#include "dataplane/transmit.h"

namespace gate96 {

class Worker {
 public:
  struct Options {
    Unknown unknown = Unknown::kAsk;
    Trace* trace = nullptr;
    EventLog* events = nullptr;       // null: none are noted
    unsigned index = 0;               // among the gateway's workers
    Handover* handover = nullptr;     // null: the only worker
    IcvExchange* exchange = nullptr;  // null: it hashes its deferred packets itself
  };

  Worker(const Config& config, const std::vector<PortInfo>& ports, rte_mempool* pool,
         Transmitter& transmitter, Options options);

  /// Once, before `tables` is first used: our SAs' numbers and windows go on in it.
  void enter(const Tables& tables);

  /// Takes `num` (at most kMaxPackets) frames received on `port` all the way. info(m).number may be set
  /// before; the rest of info(m) is overwritten.
  void receive(const Tables& tables, std::uint8_t port, rte_mbuf** frames, std::uint16_t num);

  /// Goes on with what other workers have handed over; true if there was anything.
  bool take_over(const Tables& tables);

  /// One drain of packets with deferred ICVs: call once after every round of receiving. False: nothing waits.
  bool drain(const Tables& tables);

  /// What is due by time: call every few milliseconds, also when nothing arrives.
  void tick(const Tables& tables, std::uint64_t now_ms);

  /// Drains until nothing waits: before the tables in force go away.
  void drain_all();

  /// Ends every packet still in hand.
  void stop();

  /// Whoever receives starts and stops it around a burst, and ends kReceive.
  [[nodiscard]] StageClock& stages() { return stages_; }
  [[nodiscard]] const StageClock& stages() const { return stages_; }

  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] const fpu::Context& fpu() const { return icv_.fpu(); }
  [[nodiscard]] const hmac::Burst& engine() const { return icv_.engine(); }
  [[nodiscard]] const Resolver& resolver() const { return resolver_; }

 private:
  struct Handovers {
    PacketList inbound, outbound;
  };

  void parse(std::uint8_t port, rte_mbuf** frames, std::uint16_t num, PacketList& list);
  void neighbour_packet(const PortInfo& port, FrameKind kind, rte_mbuf* m);
  void inbound(PacketList& list);
  void open(PacketList& esp);
  void accept(PacketList& esp);
  void outbound(PacketList& list);
  void seal(PacketList& protect);
  void send_sealed(PacketList& protect);
  void resume(PacketList& list);
  void look_up_again(Handovers& packets);
  void finish();
  void send_originated();

  StageClock stages_;
  Counters counters_;
  Context context_;
  TxBuffers tx_;
  Resolver resolver_;
  Reassembler reassembler_;
  IcvStage icv_;
  icmp_error::Limiter icmp_limiter_;
};

}  // namespace gate96
