// SPDX-License-Identifier: BSD-3-Clause
// The outer IP header of a tunnel (RFC 4301 5.1.2): what it takes from the inner one and how it is written.
#pragma once

#include <rte_mbuf.h>

#include <cstdint>

#include "dataplane/ecn.h"
#include "dataplane/ip_edit.h"
#include "dataplane/packet.h"
#include "dataplane/sa.h"

namespace gate96 {

inline constexpr std::uint8_t kOuterTtl = 64;

/// What depends on the inner packet. IPv6 counts as "don't fragment".
struct OuterFields {
  std::uint8_t tos = 0;  // DSCP copied or the SA's own; ECN copied (RFC 6040 4.1), or 0 in compatibility mode
  bool dont_fragment = false;
};

[[nodiscard]] inline OuterFields outer_fields(const Sa& sa, const rte_mbuf* inner) {
  std::uint8_t tos = traffic_class(inner);
  if (sa.dscp) tos = static_cast<std::uint8_t>(*sa.dscp << 2 | (tos & ecn::kMask));
  if (sa.ecn == Ecn::kCompatibility) tos &= static_cast<std::uint8_t>(~ecn::kMask);
  return {tos, sa.df == Df::kCopy ? info(inner).dont_fragment : sa.df == Df::kSet};
}

// Worked out once an SA: Sa::outer_len and Sa::outer_sum.
/// Bytes of the outer header, UDP (RFC 3948) included, ESP not.
[[nodiscard]] std::uint16_t outer_header_len(const Sa& sa);
/// The ones' complement sum of the words of the outer IPv4 header that are the same in every packet.
[[nodiscard]] std::uint16_t outer_header_sum(const Sa& sa);

/// Writes it at `to`; `packet_len`: the whole datagram, outer header included. Takes an IPv4 identification.
void write_outer_header(std::uint8_t* to, Sa& sa, const OuterFields& fields, std::uint32_t packet_len);

}  // namespace gate96
