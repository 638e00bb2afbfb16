// SPDX-License-Identifier: BSD-3-Clause
// The outer IP header of a tunnel (RFC 4301 5.1.2): what it takes from the inner one and how it is written.
#pragma once

#include <rte_mbuf.h>

#include <cstdint>

#include "dataplane/sa.h"

namespace gate96 {

inline constexpr std::uint8_t kOuterTtl = 64;

/// What the outer header copies.
struct InnerFields {
  std::uint8_t tos = 0;  // DSCP and ECN (RFC 6040 4.1: the ECN field is copied)
  bool dont_fragment = false;
};

[[nodiscard]] InnerFields read_inner_fields(const rte_mbuf* m);

/// Bytes of the outer header, ESP excluded.
[[nodiscard]] std::uint16_t outer_header_len(const Sa& sa);

/// Writes it at `to`; `packet_len`: the whole datagram, outer header included. Takes an IPv4 identification.
void write_outer_header(std::uint8_t* to, Sa& sa, const InnerFields& inner, std::uint32_t packet_len);

}  // namespace gate96
