// SPDX-License-Identifier: BSD-3-Clause
// Packets for the gateway's own addresses. It answers pings (RFC 1122 3.2.2.6, RFC 4443 4.2) and offers
// nothing else.
#pragma once

#include "dataplane/context.h"

namespace gate96 {

/// Ends `m` as kLocal or kLocalRefused; an echo reply is put on the list of originated packets.
void deliver_local(Context& context, rte_mbuf* m);

}  // namespace gate96
