// SPDX-License-Identifier: BSD-3-Clause
// Routing (RFC 1812 5): local or in transit, TTL, route, MTU; then the resolver finds the MAC address.
#pragma once

#include "dataplane/context.h"
#include "dataplane/resolver.h"

namespace gate96 {

/// Ends or sends every packet of `list`.
void forward(Context& context, Resolver& resolver, PacketList& list);

}  // namespace gate96
