// SPDX-License-Identifier: BSD-3-Clause
// From next hop to MAC address: ARP and neighbour discovery, and the packets that wait for an answer.
#pragma once

#include <rte_mbuf.h>

#include <vector>

#include "dataplane/adjacency.h"
#include "dataplane/context.h"
#include "dataplane/neighbour.h"
#include "dataplane/transmit.h"

namespace gate96 {

inline constexpr std::size_t kMaxHeld = 128;       // packets that wait, over all neighbours
inline constexpr std::size_t kMaxHeldForOne = 16;  // and for one of them

/// kZeroMac: no one can be asked (explain); unknown neighbours get 00:00:00:00:00:00.
enum class Unknown : std::uint8_t { kAsk, kZeroMac };

class Resolver {
 public:
  Resolver(TxBuffers& tx, Unknown unknown);

  void add_fixed(std::uint8_t port, const IpAddress& address, const MacAddress& mac) {
    table_.add_fixed(port, address, mac);
  }

  /// Sends the datagram to `next_hop` on `port`, or holds it until the neighbour has answered.
  void send(Context& context, rte_mbuf* m, std::uint8_t port, const IpAddress& next_hop);

  /// The Ethernet header for `next_hop` on `port`, if it is at hand; otherwise null, and send() knows more.
  [[nodiscard]] const EtherHeader* header_to(const Context& context, std::uint8_t port,
                                             rte_be32_t next_hop) const {
    return adjacencies_.find(table_, port, next_hop, context.now_ms);
  }

  /// Takes an ARP packet (Ethernet header taken off): learns, answers, ends it.
  void receive_arp(Context& context, rte_mbuf* m);

  /// Takes a neighbour discovery packet (nd::is_nd): learns, answers, ends it.
  void receive_nd(Context& context, rte_mbuf* m);

  /// Takes what another worker has learned.
  void learn(Context& context, const Lesson& lesson);

  /// Asks again, gives up on neighbours that do not answer. Call every few milliseconds.
  void tick(Context& context);

  /// Ends every packet that still waits, as `verdict`.
  void drop_held(Context& context, Verdict verdict);

  [[nodiscard]] const NeighbourTable& table() const { return table_; }

 private:
  struct Held {
    rte_mbuf* m;
    std::uint8_t port;
    IpAddress next_hop;
  };
  /// The next packets to this neighbour find its header ready.
  void remember(const Context& context, std::uint8_t port, const IpAddress& next_hop,
                NeighbourTable::Entry& entry);
  void hold(Context& context, rte_mbuf* m, std::uint8_t port, const IpAddress& next_hop);
  void transmit(Context& context, rte_mbuf* m, std::uint8_t port, const MacAddress& to);
  void ask(Context& context, std::uint8_t port, const IpAddress& address);
  /// A neighbour said who it is: the table learns, the packets that waited go.
  void heard(Context& context, std::uint8_t port, const IpAddress& address, const MacAddress& mac,
             bool create);
  /// Sends a frame of our own that `write` fills in.
  template <class Write>
  void originate(Context& context, std::uint8_t port, Write&& write);
  void give_up(Context& context, std::uint8_t port, const IpAddress& address);
  /// Takes the packets that wait for one neighbour out of the queue and passes each to `then`.
  template <class Then>
  void release(Context& context, std::uint8_t port, const IpAddress& address, Then&& then);

  TxBuffers& tx_;
  Unknown unknown_;
  NeighbourTable table_;
  AdjacencyCache adjacencies_;
  std::vector<Held> held_;
};

}  // namespace gate96
