// SPDX-License-Identifier: BSD-3-Clause
// How a packet's selectors lie in memory for rte_acl, and a policy as rules over them.
//
//   IPv4: protocol(1) -(3) | src(4)  | dst(4)  | src port(2) dst port(2)
//   IPv6: protocol(1) -(3) | src(16) | dst(16) | src port(2) dst port(2)
// Big-endian; for ICMP the ports are type and code. A rule with ports always names a protocol that has them,
// so a packet of another protocol cannot match it; a packet of such a protocol whose ports are unknown (a
// later fragment, a cut header) is left to matches().
#pragma once

#include <rte_acl.h>
#include <rte_mbuf.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/packet.h"
#include "dataplane/wire_format.h"

namespace gate96::spd_key {

inline constexpr std::uint32_t kMaxFields = 11;  // protocol, 2 x 4 address words, 2 ports

RTE_ACL_RULE_DEF(Rule, kMaxFields);

struct Key {
  alignas(8) std::uint8_t bytes[40];

  /// From info(m) and the addresses in the packet.
  void fill(const rte_mbuf* m) {
    const PacketInfo& p = info(m);
    p.family == Family::kIpv4 ? fill<offsetof(Ipv4Header, src), 8>(m)
                              : fill<offsetof(Ipv6Header, src), 32>(m);
  }

 private:
  template <std::size_t kAddressesAt, std::size_t kAddressesLen>
  void fill(const rte_mbuf* m) {
    const PacketInfo& p = info(m);
    const std::uint32_t protocol = p.protocol;  // little-endian: the byte, then three of padding
    const std::uint32_t ports = rte_cpu_to_be_32(std::uint32_t{p.src_port} << 16 | p.dst_port);
    std::memcpy(bytes, &protocol, 4);
    std::memcpy(bytes + 4, rte_pktmbuf_mtod_offset(m, const std::uint8_t*, kAddressesAt), kAddressesLen);
    std::memcpy(bytes + 4 + kAddressesLen, &ports, 4);
  }
};

/// Protocols whose packets have ports, or type and code, to select by.
inline constexpr std::array<std::uint8_t, 5> kPortProtocols = {kProtoTcp, kProtoUdp, kProtoUdpLite,
                                                               kProtoDccp, kProtoSctp};
[[nodiscard]] constexpr bool has_port_field(std::uint8_t protocol) {
  for (const std::uint8_t p : kPortProtocols) {
    if (p == protocol) return true;
  }
  return protocol == kProtoIcmp || protocol == kProtoIcmpv6;
}

/// Field layout for rte_acl_build().
[[nodiscard]] rte_acl_config acl_config(Family family);
[[nodiscard]] std::uint32_t rule_size(Family family);

/// The rules of a policy: one, or one for each protocol with ports if it names ports but no protocol. No
/// priority or user data yet.
[[nodiscard]] std::vector<Rule> make_rules(const PolicyConfig& policy, Family family);

/// True if rte_acl cannot judge this packet: its protocol has ports, but they are unknown.
[[nodiscard]] inline bool needs_slow_path(const rte_mbuf* m) {
  return info(m).ports_kind == PortsKind::kNone && has_port_field(info(m).protocol);
}

/// Whether the policy covers the packet, without rte_acl.
[[nodiscard]] bool matches(const PolicyConfig& policy, const rte_mbuf* m);

}  // namespace gate96::spd_key
