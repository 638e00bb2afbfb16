// SPDX-License-Identifier: BSD-3-Clause
// A security association while it lives: its constants, and the state that its one owner thread writes.
#pragma once

#include <rte_prefetch.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "dataplane/address.h"
#include "dataplane/config.h"
#include "dataplane/counter.h"
#include "dataplane/lifetime.h"
#include "dataplane/replay_window.h"
#include "fpu/order.h"
#include "hmac/key.h"

namespace gate96 {

/// RFC 4303 3.3.3: the last number a sender may use.
inline constexpr std::uint64_t kLastSeq = 0xffffffffu;
inline constexpr std::uint64_t kLastEsn = ~std::uint64_t{0};

/// What path_mtu() said last, for the owner.
struct PathMtuMemo {
  std::uint32_t generation = 0;  // of the tables; 0: nothing yet
  std::uint16_t mtu = 0;
  std::uint8_t port = 0;  // that the packet came in at
};

struct Sa {
  explicit Sa(const SaConfig& config);
  Sa(const Sa&) = delete;
  Sa& operator=(const Sa&) = delete;

  /// Goes on with the numbers, window and counters of `old`, which is the same SA under other settings; its
  /// age is inherit_age()'s (lifetime.h). Owner thread only; `old` must not be used afterwards.
  void succeed(const Sa& old);

  // In the order of a packet's way, in cache lines: with many SAs each line is a miss.

  // Constants, which every packet asks for.
  alignas(64) std::uint32_t spi;
  std::uint32_t outer_sum;    // checksum of the constant words of the outer IPv4 header (outer_header.h)
  std::uint16_t outer_len;    // bytes of the outer header, UDP included
  std::uint16_t next_id = 0;  // owner: IPv4 identification of the next outer header
  unsigned tfc;               // the payload is padded to so many bytes (RFC 4303 2.7); 0: not
  bool esn;
  bool counts_life;  // there is a limit of packets or bytes
  Direction direction;
  Mode mode;
  Df df;
  Ecn ecn;
  std::optional<std::uint8_t> dscp;  // of the outer header; none: copied
  IpAddress src;
  IpAddress dst;

  alignas(64) hmac::Key key;
  std::optional<UdpEncapConfig> udp_encap;
  PathMtuMemo path_mtu_memo;  // owner

  // Written by the owner, and where it says so by others; read by anyone.
  alignas(64) std::uint64_t last_seq = 0;  // outbound: last number sent; owner only
  /// No number above it may be sent or accepted yet: after a crash it would be taken for a new one. Moved by
  /// the StateKeeper; without one there is no such limit.
  std::atomic<std::uint64_t> seq_limit{~std::uint64_t{0}};
  Counter packets;                 // sent, or received and accepted
  Counter bytes;                   // of the ESP packets' IP payload, from SPI to ICV
  Counter seq;                     // outbound: last sent; inbound: highest accepted
  Counter expired;                 // 1 once a hard limit is reached: no packet passes any more
  Counter path_mtu;                // outbound, learnt from routers by whichever worker heard it; 0: nothing
  std::uint64_t last_sent_ms = 0;  // outbound, for keepalives; owner only

  alignas(64) ReplayWindow window;  // inbound; owner only

  // The rest, owner only.
  alignas(64) SaLife life;
  fpu::SaOrder inbound_order;  // of packets with deferred ICVs
  fpu::SaOrder outbound_order;

  Counter path_mtu_until_ms;  // as path_mtu
  Counter seq_wanted;         // inbound: highest authenticated number above seq_limit
  Counter replays;
  Counter icv_bad;
  Counter selector_mismatch;

  std::string name;
};

/// Asks for the lines that a packet of the SA will need, some stages ahead.
inline void prefetch(const Sa& sa) {
  rte_prefetch0(&sa.spi);
  rte_prefetch0(&sa.key);
  rte_prefetch0(&sa.last_seq);
}

inline bool spend(Context& context, Sa& sa, std::uint32_t esp_len) {
  if (sa.counts_life) [[unlikely]]
    return spend_of_limit(context, sa, esp_len);
  sa.packets.add();
  sa.bytes.add(esp_len);
  return true;
}

}  // namespace gate96
