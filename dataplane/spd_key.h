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

#include <cstdint>
#include <vector>

#include "dataplane/config.h"

namespace gate96::spd_key {

inline constexpr std::uint32_t kMaxFields = 11;  // protocol, 2 x 4 address words, 2 ports

RTE_ACL_RULE_DEF(Rule, kMaxFields);

struct Key {
  alignas(4) std::uint8_t bytes[40];
  /// From info(m) and the addresses in the packet.
  void fill(const rte_mbuf* m);
};

/// Field layout for rte_acl_build().
[[nodiscard]] rte_acl_config acl_config(Family family);
[[nodiscard]] std::uint32_t rule_size(Family family);

/// The rules of a policy: one, or one for each protocol with ports if it names ports but no protocol. No
/// priority or user data yet.
[[nodiscard]] std::vector<Rule> make_rules(const PolicyConfig& policy, Family family);

/// True if rte_acl cannot judge this packet: its protocol has ports, but they are unknown.
[[nodiscard]] bool needs_slow_path(const rte_mbuf* m);

/// Whether the policy covers the packet, without rte_acl.
[[nodiscard]] bool matches(const PolicyConfig& policy, const rte_mbuf* m);

}  // namespace gate96::spd_key
