// SPDX-License-Identifier: BSD-3-Clause
// Edits of an IP header in place that keep the IPv4 checksum right.
#pragma once

#include <rte_mbuf.h>

#include <cstdint>

#include "dataplane/wire_format.h"

namespace gate96 {

/// Computes the checksum of the header and of the options that lie behind it in memory.
void seal_checksum(Ipv4Header& ip);

/// Counts TTL or hop limit down, once a packet (info(m).ttl_done), not for packets made here. False: it was 0
/// or 1.
[[nodiscard]] bool decrement_ttl(rte_mbuf* m);

/// TOS or traffic class: DSCP in the upper six bits, ECN in the lower two.
[[nodiscard]] std::uint8_t traffic_class(const rte_mbuf* m);
void set_traffic_class(rte_mbuf* m, std::uint8_t value);

/// Sets IPv4 total length and checksum, or IPv6 payload length, from the packet's length.
void set_ip_len(rte_mbuf* m);

}  // namespace gate96
