// SPDX-License-Identifier: BSD-3-Clause
// How large a packet may be on its way through an SA (RFC 4301 8).
#pragma once

#include "dataplane/context.h"

namespace gate96 {

inline constexpr std::uint64_t kPathMtuAgeMs = 10 * 60 * 1000;  // RFC 1191 6.3, RFC 8201 4: 10 minutes
inline constexpr unsigned kMinPathMtu4 = 576;
inline constexpr unsigned kMinPathMtu6 = 1280;

/// The MTU of the way that an ESP packet of `sa` takes: its port's, or less if routers have said so. `port`:
/// where the packet came in, which on a wire decides where it goes out. 0: no route.
[[nodiscard]] unsigned path_mtu(const Context& context, const Sa& sa, std::uint8_t port);

/// The largest datagram that fits into `mtu` as ESP of `sa`. `header_len`: for transport mode, the bytes of
/// the datagram that stay in front of ESP.
[[nodiscard]] unsigned largest_inside(const Sa& sa, unsigned mtu, unsigned header_len);

/// Takes the ICMP "fragmentation needed" or ICMPv6 "packet too big" in `m`, which is for us, to heart if it
/// quotes an ESP packet that an SA of ours may have sent lately (RFC 4301 6, 8.2.2). False: it does not.
[[nodiscard]] bool learn_path_mtu(Context& context, rte_mbuf* m);

}  // namespace gate96
