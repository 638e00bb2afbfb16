// SPDX-License-Identifier: BSD-3-Clause
// Outbound IPsec (RFC 4301 5.1, RFC 4303 3.3). The stages of a packet from the protected side or of our own,
// in order; the ICV stage follows encapsulate.
#pragma once

#include "dataplane/context.h"

namespace gate96::outbound {

/// 1. Looks up the SPD. Bypassed packets stay in `list`, those to protect move to `protect`, each with its
/// SA.
void apply_policy(Context& context, PacketList& list, PacketList& protect);

/// 2. Packet by packet: counts down the TTL, turns away what is too big, gives the packet its sequence number
/// and puts ESP header, trailer, room for the ICV and the outer header on.
void encapsulate(Context& context, PacketList& protect);

}  // namespace gate96::outbound
