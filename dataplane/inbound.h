// SPDX-License-Identifier: BSD-3-Clause
// Inbound IPsec (RFC 4301 5.2, RFC 4303 3.4). The stages of an ESP packet, in order; the ICV stage stands
// between check_replay and decapsulate.
#pragma once

#include "dataplane/context.h"

namespace gate96::inbound {

/// 1. Moves the ESP packets that are for us out of `list` into `esp`, each with its SA. An ESP packet that is
/// for another host stays: it is clear traffic in transit.
void find_sa(Context& context, PacketList& list, PacketList& esp);

/// Undoes what find_sa() found of a packet, so that it can be asked again.
void forget_sa(rte_mbuf* m);

/// 2. Could it be valid? Infers the ESN high half; changes no window (RFC 4303 3.4.3).
void check_replay(Context& context, PacketList& esp);

/// 3. After the ICV, packet by packet: drops those whose ICV is not good, records the number, takes off ESP,
/// checks padding and next header, and leaves the inner datagram, parsed.
void decapsulate(Context& context, PacketList& esp);

/// 4. Drops what is outside its SA's selectors (RFC 4301 5.2 step 4).
void check_selectors(Context& context, PacketList& inner);

/// Clear packets from the unprotected side: passes those that a bypass policy covers.
void check_clear(Context& context, PacketList& clear);

}  // namespace gate96::inbound
