// SPDX-License-Identifier: BSD-3-Clause
// A packet on its way: an mbuf whose data is an IP datagram (the Ethernet header is taken off at parse and
// put on again at transmit), and what the stages know of it, kept in the mbuf's private area.
#pragma once

#include <rte_mbuf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "dataplane/address.h"
#include "dataplane/verdict.h"

namespace gate96 {

struct Sa;
struct NextHop;

inline constexpr std::uint16_t kMaxPackets = 256;  // in one list
inline constexpr std::uint16_t kMaxSegments = 16;  // in one packet
inline constexpr std::uint16_t kMaxL2Len = 22;     // Ethernet and two VLAN tags

/// Ports, or ICMP type and code, of the packet's innermost known header.
enum class PortsKind : std::uint8_t { kNone, kPorts, kIcmp };

/// As what a packet goes to another worker.
enum class Handed : std::uint8_t { kInbound, kOutbound, kFrame };

/// Without gaps, so that new_info() is a few stores.
struct PacketInfo {
  std::uint32_t number = 0;  // place in a capture (explain), 0: none
  std::uint8_t port = 0;     // received on; index into the gateway's ports
  bool originated = false;   // made here: no TTL to count down
  bool ttl_done = false;     // TTL already counted down
  bool decapsulated = false;
  bool boundary_free = false;  // made here and stays on the protected side: no policy is asked
  bool back_on_wire = false;   // made here about a packet on a wire: goes back where that came from
  Family family = Family::kIpv4;
  std::uint8_t protocol = 0;         // first header that is not an IPv6 extension
  std::uint16_t header_len = 0;      // bytes before that header: IPv4 header, or IPv6 header and extensions
  std::uint16_t next_header_at = 0;  // offset of the byte that says `protocol`
  bool is_piece = false;             // in reassembly: head of a fragment
  bool fragment = false;             // any fragment (MF set or offset over 0)
  bool later_fragment = false;       // offset over 0: no upper header here
  bool dont_fragment = false;        // IPv4 DF, or IPv6
  bool udp_encap = false;            // inbound: came as ESP in UDP
  bool udp_checksum = false;         // outbound: the UDP header around ESP still needs its checksum
  bool to_be_cut = false;            // too big as ESP, which may be fragmented
  PortsKind ports_kind = PortsKind::kNone;
  std::uint16_t src_port = 0;    // host order; ICMP: type
  std::uint16_t dst_port = 0;    // host order; ICMP: code
  std::uint32_t generation = 0;  // of the tables that `sa` comes from, once handed over
  Sa* sa = nullptr;
  std::uint64_t seq = 0;  // with the high half inferred or chosen
  bool outbound = false;  // the ICV is to be written, not compared
  bool icv_good = false;  // it has been compared, and matches
  std::uint16_t defer_slot = 0;
  Handed handed = Handed::kInbound;
  std::uint8_t l2_len = 0;
  std::uint8_t l2[kMaxL2Len];  // the frame's own L2 header, for the wire mode; l2_len bytes are set

  PacketInfo() {}  // leaves l2 as it is
};
inline constexpr std::uint16_t kPacketInfoSize = 128;
static_assert(sizeof(PacketInfo) <= kPacketInfoSize);
static_assert(offsetof(PacketInfo, l2) <= RTE_CACHE_LINE_SIZE);

inline PacketInfo& info(rte_mbuf* m) {
  return *static_cast<PacketInfo*>(rte_mbuf_to_priv(m));
}
inline const PacketInfo& info(const rte_mbuf* m) {
  return *static_cast<const PacketInfo*>(rte_mbuf_to_priv(const_cast<rte_mbuf*>(m)));
}

/// Forgets everything about the packet that was in this buffer before.
inline PacketInfo& new_info(rte_mbuf* m) {
  return *new (rte_mbuf_to_priv(m)) PacketInfo;
}

/// A burst on its way through the stages. Each stage keeps the good packets in front and in order.
struct PacketList {
  std::uint16_t num = 0;
  rte_mbuf* packets[kMaxPackets];

  PacketList() = default;
  /// A copy costs what is in the list, not what would fit.
  PacketList(const PacketList& other) { *this = other; }
  PacketList& operator=(const PacketList& other) {
    num = other.num;
    std::copy_n(other.packets, num, packets);
    return *this;
  }

  void push(rte_mbuf* m) { packets[num++] = m; }
  [[nodiscard]] bool full() const { return num == kMaxPackets; }
  rte_mbuf** begin() { return packets; }
  rte_mbuf** end() { return packets + num; }

  /// Keeps the packets for which `verdict_of(m)` is kPass; `ended(m, verdict)` gets the others.
  template <class VerdictOf, class Ended>
  void keep(VerdictOf&& verdict_of, Ended&& ended) {
    std::uint16_t kept = 0;
    for (std::uint16_t i = 0; i < num; ++i) {
      rte_mbuf* m = packets[i];
      const Verdict verdict = verdict_of(m);
      if (verdict == Verdict::kPass) [[likely]] {
        packets[kept++] = m;
      } else {
        ended(m, verdict);
      }
    }
    num = kept;
  }
};

}  // namespace gate96
