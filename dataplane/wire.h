// SPDX-License-Identifier: BSD-3-Clause
// The bump in the wire: between the two ports of a [[wire]] frames pass with MAC addresses, VLAN tags and TTL
// as they are. Policies apply to IP as in routed mode; ARP and neighbour discovery pass; other EtherTypes do
// not.
#pragma once

#include "dataplane/context.h"

namespace gate96::wire {

/// Puts the frame's own Ethernet header back on and sends it out of the other end. info(m).port is part of a
/// wire.
void pass(Context& context, rte_mbuf* m);

}  // namespace gate96::wire
