// SPDX-License-Identifier: BSD-3-Clause
// Fragmentation of datagrams that are over the MTU of their way (RFC 791 3.2, RFC 8200 4.5), by rte_ip_frag.
#pragma once

#include "dataplane/context.h"

namespace gate96 {

/// Whether the datagram may be cut: IPv4 without DF, or an IPv6 packet of our own making.
[[nodiscard]] inline bool may_fragment(const rte_mbuf* m) {
  return !info(m).dont_fragment;
}

/// Cuts `m`, which is over `mtu`, and puts the pieces into `pieces`, each a datagram of its own; counts them.
/// Ends `m` as kNoBuffer, with no pieces, if buffers are short.
void fragment(Context& context, rte_mbuf* m, unsigned mtu, PacketList& pieces);

}  // namespace gate96
