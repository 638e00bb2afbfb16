// SPDX-License-Identifier: BSD-3-Clause
// A security association while it lives: its constants, and the state that its one owner thread writes.
#pragma once

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

struct Sa {
  explicit Sa(const SaConfig& config);
  Sa(const Sa&) = delete;
  Sa& operator=(const Sa&) = delete;

  /// Goes on with the numbers, window and counters of `old`, which is the same SA under other settings; its
  /// age is inherit_age()'s (lifetime.h). Owner thread only; `old` must not be used afterwards.
  void succeed(const Sa& old);

  // Constants.
  std::string name;
  Direction direction;
  Mode mode;
  std::uint32_t spi;
  bool esn;
  IpAddress src;
  IpAddress dst;
  hmac::Key key;
  Df df;
  std::optional<std::uint8_t> dscp;  // of the outer header; none: copied
  Ecn ecn;

  std::optional<UdpEncapConfig> udp_encap;
  unsigned tfc;  // the payload is padded to so many bytes (RFC 4303 2.7); 0: not

  // Owner thread only.
  SaLife life;
  std::uint64_t last_sent_ms = 0;  // outbound, for keepalives
  std::uint64_t last_seq = 0;      // outbound: last number sent
  std::uint16_t next_id = 0;       // outbound: IPv4 identification of the next outer header
  ReplayWindow window;             // inbound
  fpu::SaOrder inbound_order;      // of packets with deferred ICVs
  fpu::SaOrder outbound_order;

  // Outbound: learnt from routers, by whichever worker heard it.
  Counter path_mtu;  // 0: nothing
  Counter path_mtu_until_ms;

  /// No number above it may be sent or accepted yet: after a crash it would be taken for a new one. Moved by
  /// the StateKeeper; without one there is no such limit.
  std::atomic<std::uint64_t> seq_limit{~std::uint64_t{0}};

  // Written by the owner, read by anyone.
  Counter seq_wanted;  // inbound: highest authenticated number above seq_limit
  Counter packets;     // sent, or received and accepted
  Counter bytes;       // of the ESP packets' IP payload, from SPI to ICV
  Counter seq;         // outbound: last sent; inbound: highest accepted
  Counter expired;     // 1 once a hard limit is reached: no packet passes any more
  Counter replays;
  Counter icv_bad;
  Counter selector_mismatch;
};

}  // namespace gate96
