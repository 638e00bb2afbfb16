// SPDX-License-Identifier: BSD-3-Clause
// IPv6 neighbour discovery (RFC 4861) as bytes: solicitations and advertisements.
#pragma once

#include <rte_mbuf.h>

#include <optional>

#include "dataplane/address.h"
#include "dataplane/port_info.h"

namespace gate96::nd {

inline constexpr std::uint8_t kRouterSolicitation = 133;  // the first of the types that stay on the link
inline constexpr std::uint8_t kSolicitation = 135;
inline constexpr std::uint8_t kAdvertisement = 136;
inline constexpr std::uint8_t kRedirect = 137;  // the last

struct Message {
  std::uint8_t type;
  IpAddress src;
  IpAddress target;
  std::optional<MacAddress> mac;  // source or target link-layer address option
};

/// True if the parsed datagram is one of ND's: it is then never routed and exempt from the SPD.
[[nodiscard]] bool is_nd(const rte_mbuf* m);

/// Reads a solicitation or advertisement after all checks of RFC 4861 7.1.1 and 7.1.2. Nullopt: it fails one.
[[nodiscard]] std::optional<Message> read(rte_mbuf* m);

/// Fills the empty `m` with a whole frame: who has `target`, tell `own` (4.3).
[[nodiscard]] bool write_solicitation(rte_mbuf* m, const PortInfo& port, const IpAddress& own,
                                      const IpAddress& target);

/// Fills the empty `m` with a whole frame that answers `solicitation` for its target, which is ours (7.2.4).
[[nodiscard]] bool write_advertisement(rte_mbuf* m, const PortInfo& port, const Message& solicitation);

/// fe80::/64 with the modified EUI-64 of the MAC address (RFC 4291 appendix A).
[[nodiscard]] IpAddress link_local(const MacAddress& mac);

}  // namespace gate96::nd
