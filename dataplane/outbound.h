// SPDX-License-Identifier: BSD-3-Clause
// Outbound IPsec (RFC 4301 5.1, RFC 4303 3.3). The stages of a packet from the protected side or of our own,
// in order; the ICV stage follows encapsulate.
#pragma once

#include "dataplane/context.h"

namespace gate96::outbound {

/// 1. Looks up the SPD. Bypassed packets stay in `list`, those to protect move to `protect`, each with its
/// SA.
void apply_policy(Context& context, PacketList& list, PacketList& protect);

/// 2. Counts down the TTL of packets in transit (RFC 4301 5.1.2).
void count_down(Context& context, PacketList& list);

/// 3. Turns away what is too big as ESP and must not be cut, with an ICMP error (RFC 4301 8.2).
void check_size(Context& context, PacketList& protect);

/// 4. Gives each packet its sequence number and puts ESP header, trailer, room for the ICV and the outer
/// header on.
void encapsulate(Context& context, PacketList& protect);

}  // namespace gate96::outbound
