// SPDX-License-Identifier: BSD-3-Clause
// From a frame to a checked IP datagram. Lengths are checked before use and the IP length rules over the
// frame's.
#pragma once

#include <rte_mbuf.h>

#include <cstdint>

#include "dataplane/packet.h"

namespace gate96 {

/// What parse_frame() found behind the Ethernet header.
enum class FrameKind : std::uint8_t { kArp, kIpv4, kIpv6 };

struct FrameResult {
  Verdict verdict;  // kPass, or why not
  FrameKind kind;
};

/// Takes off Ethernet and up to two VLAN tags, checks that the frame is for `mac` (or group-addressed;
/// kAnyMac: for anyone), and, for IP, checks the header, trims what follows the IP length and fills in
/// info(m). Sets info(m).l2.
[[nodiscard]] FrameResult parse_frame(rte_mbuf* m, const MacAddress& mac);

/// The same for a bare IP datagram (after decapsulation): checks header and lengths, trims, fills in info(m).
[[nodiscard]] Verdict parse_ip(rte_mbuf* m, Family family);

}  // namespace gate96
