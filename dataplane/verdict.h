// SPDX-License-Identifier: BSD-3-Clause
// How a packet's way through the gateway ends. Every packet ends in exactly one verdict; every drop has its
// own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gate96 {

// name, what it means to the operator
#define GATE96_VERDICTS(X)                                                                             \
  X(kForwarded, "forwarded", "sent out of a port")                                                     \
  X(kLocal, "local", "delivered to an address of the gateway")                                         \
  X(kConsumed, "consumed", "ARP, neighbour discovery, keepalive or dummy packet")                      \
  X(kMerged, "merged", "fragment that became part of a reassembled packet")                            \
  X(kHeld, "held", "still in hand: neighbour queue, reassembly, hand-over or deferral")                \
  X(kFrameShort, "frame_short", "the frame ends inside its Ethernet, VLAN or IP header")               \
  X(kFrameLong, "frame_long", "longer than the port's MTU; is receive offload (GRO/LRO) on?")          \
  X(kOtherMac, "other_mac", "unicast frame for another station's MAC address")                         \
  X(kNotIp, "not_ip", "EtherType is neither IPv4, IPv6 nor ARP")                                       \
  X(kArpBad, "arp_bad", "malformed ARP")                                                               \
  X(kNdBad, "nd_bad", "neighbour discovery that fails the checks of RFC 4861 7.1")                     \
  X(kIpVersion, "ip_version", "IP version does not match the EtherType")                               \
  X(kIpHeader, "ip_header", "IPv4 header length under 20 bytes or over the total length")              \
  X(kIpTruncated, "ip_truncated", "the IP length is over the frame's")                                 \
  X(kIpChecksum, "ip_checksum", "bad IPv4 header checksum")                                            \
  X(kIpExtension, "ip_extension", "IPv6 extension headers cut, out of bounds or too many")             \
  X(kIpSource, "ip_source", "source address is multicast, loopback, or one of the gateway's own")      \
  X(kIpMulticast, "ip_multicast", "multicast or broadcast destination in routed mode")                 \
  X(kTtlExpired, "ttl_expired", "TTL or hop limit is used up")                                         \
  X(kSegments, "segments", "too many buffer segments")                                                 \
  X(kNoRoom, "no_room", "no head- or tailroom left in the packet buffer and none to add")              \
  X(kNoBuffer, "no_buffer", "out of packet buffers")                                                   \
  X(kNoPolicy, "no_policy", "no policy matches (default: discard)")                                    \
  X(kPolicyDiscard, "policy_discard", "a discard policy matches")                                      \
  X(kClearOnProtect, "clear_on_protect", "arrived in clear, but a protect policy covers it")           \
  X(kSelectorMismatch, "selector_mismatch", "decapsulated packet outside the SA's selectors")          \
  X(kEspShort, "esp_short", "shorter than ESP header, trailer and ICV (22 bytes)")                     \
  X(kEspAlign, "esp_align", "ESP payload and trailer are not 4-byte aligned (RFC 4303 2.4)")           \
  X(kReassembly, "reassembly", "fragments that did not become whole: late, overlapping or too many")   \
  X(kEspFragment, "esp_fragment", "a fragment of an ESP packet (RFC 4303 3.4.1)")                      \
  X(kSpiReserved, "spi_reserved", "SPI 0 or 1..255 (RFC 4303 2.1)")                                    \
  X(kNoSa, "no_sa", "no inbound SA for this SPI and destination")                                      \
  X(kReplay, "replay", "sequence number seen before, or 0")                                            \
  X(kReplayOld, "replay_old", "sequence number left of the replay window")                             \
  X(kIcvBad, "icv_bad", "the ICV does not match")                                                      \
  X(kDeferFull, "defer_full", "the queue of deferred packets is full ([fpu] queue_limit)")             \
  X(kBacklogFull, "backlog_full", "the backlog of deferred packets holds half of all packet buffers")  \
  X(kPadBad, "pad_bad", "pad length over the payload, or padding is not 1, 2, 3, ...")                 \
  X(kNextHeader, "next_header", "next header does not fit the SA's mode")                              \
  X(kInnerBad, "inner_bad", "the packet inside the tunnel is malformed")                               \
  X(kCongested, "congested", "marked CE on the way, but its transport does not do ECN (RFC 6040 4.2)") \
  X(kSeqExhausted, "seq_exhausted", "the outbound SA's sequence numbers are used up (RFC 4303 3.3.3)") \
  X(kSeqUnsaved, "seq_unsaved", "number not reserved in the state file yet; is the disk full?")        \
  X(kSaExpired, "sa_expired", "the SA has reached a hard limit of its lifetime")                       \
  X(kTransportFragment, "transport_fragment", "a fragment on a transport mode SA (RFC 4303 3.3.4)")    \
  X(kTooBig, "too_big", "over the outgoing MTU and must not be fragmented")                            \
  X(kNoRoute, "no_route", "no route to the destination")                                               \
  X(kNoNeighbour, "no_neighbour", "the next hop does not answer ARP or neighbour solicitation")        \
  X(kHoldFull, "hold_full", "too many packets wait for neighbours already")                            \
  X(kLocalRefused, "local_refused", "for an address of the gateway, which offers no such service")     \
  X(kHandoverFull, "handover_full", "the ring to the worker that owns the packet's SA is full")        \
  X(kTxFull, "tx_full", "the transmit ring is full")

enum class Verdict : std::uint8_t {
#define X(id, name, text) id,
  GATE96_VERDICTS(X)
#undef X
      kCount,
  kPass = kCount,  // the packet goes on
};

inline constexpr std::size_t kNumVerdicts = static_cast<std::size_t>(Verdict::kCount);
inline constexpr std::size_t kFirstDrop = static_cast<std::size_t>(Verdict::kFrameShort);

[[nodiscard]] std::string_view name(Verdict verdict);
[[nodiscard]] std::string_view meaning(Verdict verdict);
[[nodiscard]] inline bool is_drop(Verdict verdict) {
  return static_cast<std::size_t>(verdict) >= kFirstDrop && verdict != Verdict::kPass;
}

}  // namespace gate96
