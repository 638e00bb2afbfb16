// SPDX-License-Identifier: BSD-3-Clause
// How large a packet may be on its way through an SA (RFC 4301 8).
#pragma once

#include "dataplane/context.h"
#include "dataplane/esp.h"
#include "dataplane/sa.h"
#include "dataplane/wire_format.h"

namespace gate96 {

inline constexpr std::uint64_t kPathMtuAgeMs = 10 * 60 * 1000;  // RFC 1191 6.3, RFC 8201 4: 10 minutes
inline constexpr unsigned kMinPathMtu4 = 576;
inline constexpr unsigned kMinPathMtu6 = 1280;

/// The MTU of the way that an ESP packet of `sa` takes: its port's, or less if routers have said so. `port`:
/// where the packet came in, which on a wire decides where it goes out. 0: no route.
[[nodiscard]] unsigned path_mtu(const Context& context, const Sa& sa, std::uint8_t port);

/// The same for the SA's owner, which mostly remembers.
[[nodiscard]] inline unsigned path_mtu_again(const Context& context, Sa& sa, std::uint8_t port) {
  PathMtuMemo& memo = sa.path_mtu_memo;
  if (sa.path_mtu.get() != 0) [[unlikely]]
    return path_mtu(context, sa, port);  // learnt from a router, and forgotten some time
  if (memo.generation != context.tables->generation || memo.port != port) [[unlikely]]
    memo = {context.tables->generation, static_cast<std::uint16_t>(path_mtu(context, sa, port)), port};
  return memo.mtu;
}

/// The largest datagram that fits into `mtu` as ESP of `sa`. `header_len`: for transport mode, the bytes of
/// the datagram that stay in front of ESP.
[[nodiscard]] inline unsigned largest_inside(const Sa& sa, unsigned mtu, unsigned header_len) {
  const bool tunnel = sa.mode == Mode::kTunnel;
  const unsigned udp_len = sa.udp_encap ? sizeof(UdpHeader) : 0;
  const unsigned before = (tunnel ? sa.outer_len : header_len + udp_len) + esp::kHeaderLen;
  if (mtu < before + esp::kTrailerLen + esp::kIcvLen) return 0;
  const unsigned aligned = (mtu - before - esp::kIcvLen) & ~3u;  // payload, padding, pad length, next header
  return aligned - esp::kTrailerLen + (tunnel ? 0 : header_len);
}

/// Takes the ICMP "fragmentation needed" or ICMPv6 "packet too big" in `m`, which is for us, to heart if it
/// quotes an ESP packet that an SA of ours may have sent lately (RFC 4301 6, 8.2.2). False: it does not.
[[nodiscard]] bool learn_path_mtu(Context& context, rte_mbuf* m);

}  // namespace gate96
