// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/spd_key.h"

#include <rte_byteorder.h>

#include <array>
#include <cstring>

#include "dataplane/ip_ends.h"
#include "dataplane/packet.h"
#include "dataplane/wire_format.h"

namespace gate96::spd_key {
namespace {

std::uint32_t address_words(Family family) {
  return family == Family::kIpv4 ? 1 : 4;
}

/// One 4-byte word of an address or prefix as an rte_acl MASK field.
rte_acl_field address_field(const std::optional<IpPrefix>& prefix, std::uint32_t word) {
  rte_acl_field field{};
  if (!prefix) return field;
  std::uint32_t value = 0;
  std::memcpy(&value, prefix->address.bytes.data() + word * 4, sizeof value);
  const int bits = prefix->len - static_cast<int>(word * 32);
  field.value.u32 = rte_be_to_cpu_32(value);
  field.mask_range.u32 = static_cast<std::uint32_t>(bits < 0 ? 0 : bits > 32 ? 32 : bits);
  return field;
}

rte_acl_field port_field(const std::optional<PortRange>& range) {
  rte_acl_field field{};
  field.value.u16 = range ? range->low : 0;
  field.mask_range.u16 = range ? range->high : 0xffff;
  return field;
}

/// Where ports lie, ICMP has type and code; a policy names one pair or the other.
const std::optional<PortRange>& first_range(const PolicyConfig& policy) {
  return policy.icmp_type ? policy.icmp_type : policy.src_ports;
}
const std::optional<PortRange>& second_range(const PolicyConfig& policy) {
  return policy.icmp_code ? policy.icmp_code : policy.dst_ports;
}

Rule make_rule(const PolicyConfig& policy, Family family, std::optional<std::uint8_t> protocol) {
  Rule rule{};
  std::uint32_t n = 0;
  rule.field[n].value.u8 = protocol.value_or(0);
  rule.field[n++].mask_range.u8 = protocol ? 0xff : 0;
  for (std::uint32_t w = 0; w < address_words(family); ++w) rule.field[n++] = address_field(policy.src, w);
  for (std::uint32_t w = 0; w < address_words(family); ++w) rule.field[n++] = address_field(policy.dst, w);
  rule.field[n++] = port_field(first_range(policy));
  rule.field[n++] = port_field(second_range(policy));
  return rule;
}

bool in_range(const std::optional<PortRange>& range, const PacketInfo& p, std::uint16_t port) {
  return !range || (p.ports_kind != PortsKind::kNone && port >= range->low && port <= range->high);
}

}  // namespace

std::uint32_t rule_size(Family family) {
  return RTE_ACL_RULE_SZ(3 + 2 * address_words(family));
}

rte_acl_config acl_config(Family family) {
  rte_acl_config config{};
  config.num_categories = 1;
  auto add = [&config](std::uint8_t type, std::uint8_t size, std::uint8_t group, std::uint32_t offset) {
    const auto index = static_cast<std::uint8_t>(config.num_fields);
    config.defs[config.num_fields++] = {type, size, index, group, offset};
  };
  std::uint8_t group = 0;
  add(RTE_ACL_FIELD_TYPE_BITMASK, 1, group++, 0);
  std::uint32_t offset = 4;
  for (std::uint32_t w = 0; w < 2 * address_words(family); ++w, offset += 4) {
    add(RTE_ACL_FIELD_TYPE_MASK, 4, group++, offset);
  }
  add(RTE_ACL_FIELD_TYPE_RANGE, 2, group, offset);
  add(RTE_ACL_FIELD_TYPE_RANGE, 2, group, offset + 2);
  return config;
}

std::vector<Rule> make_rules(const PolicyConfig& policy, Family family) {
  if (policy.protocol || (!policy.src_ports && !policy.dst_ports))
    return {make_rule(policy, family, policy.protocol)};
  std::vector<Rule> rules;
  for (const std::uint8_t protocol : kPortProtocols) rules.push_back(make_rule(policy, family, protocol));
  return rules;
}

bool matches(const PolicyConfig& policy, const rte_mbuf* m) {
  const PacketInfo& p = info(m);
  const IpEnds ends = ip_ends(m);
  return (!policy.protocol || *policy.protocol == p.protocol) &&
         in_range(first_range(policy), p, p.src_port) && in_range(second_range(policy), p, p.dst_port) &&
         (!policy.src || policy.src->contains(ends.src)) && (!policy.dst || policy.dst->contains(ends.dst));
}

}  // namespace gate96::spd_key
