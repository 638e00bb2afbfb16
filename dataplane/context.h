// SPDX-License-Identifier: BSD-3-Clause
// What all stages of one worker share: the tables in force, the counters, and the one way for a packet to
// end.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dataplane/counter.h"
#include "dataplane/events.h"
#include "dataplane/handover.h"
#include "dataplane/packet.h"
#include "dataplane/port_info.h"
#include "dataplane/tables.h"

namespace gate96 {

struct PortCounters {
  Counter rx_packets, rx_bytes, tx_packets, tx_bytes, tx_full;
};

/// One worker's share of every counter; the sums over workers satisfy, once they are quiescent,
/// rx + originated + fragments_made = tx + drops + local + consumed + merged + held.
struct Counters {
  std::array<Counter, kNumVerdicts> ended;  // by verdict; kHeld goes up and down
  std::array<PortCounters, kMaxPorts> ports;
  Counter originated;
  Counter fragments_made;
  Counter handed_over;  // packets given to another worker
  Counter esp_in;       // ESP packets that found an SA
  Counter esp_out;      // ESP packets that got their ICV
};

/// Sees how each packet ends. Only `gate96 explain` has one.
class Trace {
 public:
  virtual ~Trace() = default;
  virtual void ended(const rte_mbuf* m, Verdict verdict) = 0;
};

class TxBuffers;
namespace icmp_error {
class Limiter;
}

struct Context {
  const std::vector<PortInfo>* ports = nullptr;
  const Tables* tables = nullptr;  // in force during this burst
  rte_mempool* pool = nullptr;
  TxBuffers* tx = nullptr;
  icmp_error::Limiter* icmp_limiter = nullptr;
  Counters* counters = nullptr;
  Trace* trace = nullptr;
  EventLog* events = nullptr;
  Handover* handover = nullptr;  // null: the only worker
  unsigned worker = 0;
  std::uint32_t wire_ports = 0;  // bit i: port i is part of a wire
  std::uint64_t now_ms = 0;
  std::uint32_t fragment_id = 0;  // of the next IPv6 packet that is cut
  PacketList originated;          // made during this burst, sent at its end

  [[nodiscard]] bool is_wire(std::uint8_t port) const { return (wire_ports >> port & 1) != 0; }

  /// Counts and shows the end of a packet that lives on (a request that becomes its own reply) or is freed
  /// elsewhere.
  void note(const rte_mbuf* m, Verdict verdict) {
    counters->ended[static_cast<std::size_t>(verdict)].add();
    if (trace != nullptr) [[unlikely]]
      trace->ended(m, verdict);
    if (events != nullptr && is_audited(verdict)) [[unlikely]]
      events->dropped(m, verdict);
  }

  /// The one way for a packet to end other than being sent: counted, shown, freed.
  void end(rte_mbuf* m, Verdict verdict) {
    note(m, verdict);
    rte_pktmbuf_free(m);
  }

  /// A stage's check, packet by packet.
  template <class VerdictOf>
  void keep(PacketList& list, VerdictOf&& verdict_of) {
    list.keep(verdict_of, [this](rte_mbuf* m, Verdict verdict) { end(m, verdict); });
  }

  /// Puts a packet made here on its way; ends it if too many were made in this burst.
  void originate(rte_mbuf* m) {
    counters->originated.add();
    if (originated.full()) return end(m, Verdict::kHoldFull);
    originated.push(m);
  }
};

}  // namespace gate96
