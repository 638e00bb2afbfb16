// SPDX-License-Identifier: BSD-3-Clause
// The two addresses of a datagram, and what kind of address each is.
#pragma once

#include <rte_mbuf.h>

#include "dataplane/address.h"

namespace gate96 {

struct IpEnds {
  IpAddress src;
  IpAddress dst;
};

/// Of the datagram at the start of `m`, whose family is info(m).family.
[[nodiscard]] IpEnds ip_ends(const rte_mbuf* m);

[[nodiscard]] bool is_loopback(const IpAddress& address);
[[nodiscard]] bool is_broadcast(const IpAddress& address);  // 255.255.255.255

/// RFC 1812 5.3.7: a source that no packet in transit may have.
[[nodiscard]] bool is_martian_source(const IpAddress& src);

}  // namespace gate96
