// SPDX-License-Identifier: BSD-3-Clause
// ARP for IPv4 over Ethernet (RFC 826) as bytes.
#pragma once

#include <rte_mbuf.h>

#include <optional>

#include "dataplane/address.h"
#include "dataplane/port_info.h"

namespace gate96::arp {

enum class Operation : std::uint16_t { kRequest = 1, kReply = 2 };

struct Message {
  Operation operation;
  MacAddress sender_mac;
  IpAddress sender;
  IpAddress target;
};

/// Reads the ARP packet in `m` (Ethernet header taken off). Nullopt: malformed, or not Ethernet and IPv4, or
/// a sender that no host may have (multicast MAC).
[[nodiscard]] std::optional<Message> read(rte_mbuf* m);

/// Fills the empty `m` with a whole frame: who has `target`, tell `own`.
[[nodiscard]] bool write_request(rte_mbuf* m, const PortInfo& port, const IpAddress& own,
                                 const IpAddress& target);

/// Fills the empty `m` with a whole frame that answers `request` for the port's address request.target.
[[nodiscard]] bool write_reply(rte_mbuf* m, const PortInfo& port, const Message& request);

}  // namespace gate96::arp
