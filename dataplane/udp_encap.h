// SPDX-License-Identifier: BSD-3-Clause
// ESP in UDP for ways through NAT (RFC 3948): what is ESP and what is not, and the UDP header's bytes.
#pragma once

#include "dataplane/context.h"

namespace gate96::udp_encap {

/// What a UDP datagram on an SA's port holds (RFC 3948 2).
enum class Payload : std::uint8_t { kEsp, kIke, kKeepalive };

/// For a parsed UDP packet. Four zero bytes (the non-ESP marker) are IKE's, one byte 0xff is a keepalive.
[[nodiscard]] Payload classify(const rte_mbuf* m);

/// Writes the header in front of `esp_len` bytes of ESP. Checksum 0 (RFC 3948 2.1); see seal_checksums() for
/// IPv6.
void write_header(std::uint8_t* to, const UdpEncapConfig& ports, std::uint32_t esp_len);

/// After the ICVs: IPv6 has no UDP without checksum (RFC 8200 8.1).
void seal_checksums(PacketList& list);

/// Inbound transport mode, after decapsulation: the sums of TCP and UDP still cover the addresses from before
/// the NAT, which we do not know. The ICV vouches for the bytes, so UDP over IPv4 does without a sum, and the
/// others get a new one (RFC 3948 3.1.2). UDP over IPv6 that has no sum (RFC 6936), or whose length is none,
/// stays as it is.
void mend_checksum(rte_mbuf* m);

/// Puts on the list of originated packets a keepalive for each SA that has sent nothing for its interval (RFC
/// 3948 4).
void send_keepalives(Context& context);

}  // namespace gate96::udp_encap
