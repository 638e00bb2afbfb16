// SPDX-License-Identifier: BSD-3-Clause
// The section [[policy]], each table alone.
#include <fmt/format.h>

#include <charconv>

#include "dataplane/config_draft.h"
#include "dataplane/config_protocols.h"

namespace gate96 {
namespace {

constexpr std::uint8_t kIcmp = 1;
constexpr std::uint8_t kIcmpv6 = 58;

std::optional<std::uint16_t> number(std::string_view text, unsigned max) {
  unsigned value = 0;
  const char* const end = text.data() + text.size();
  const auto [ptr, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || ptr != end || value > max) return std::nullopt;
  return static_cast<std::uint16_t>(value);
}

/// "80" or "1000-2000".
std::optional<PortRange> parse_range(std::string_view text, unsigned max) {
  const std::size_t dash = text.find('-');
  const auto low = number(text.substr(0, dash), max);
  const auto high = dash == text.npos ? low : number(text.substr(dash + 1), max);
  if (!low || !high || *low > *high) return std::nullopt;
  return PortRange{*low, *high};
}

void read_range(TableReader& table, std::string_view key, unsigned max, std::optional<PortRange>& out) {
  const toml::node* const node = table.node(key);
  if (node == nullptr) return;
  if (const auto value = node->value_exact<std::int64_t>(); value && *value >= 0 && *value <= max) {
    out = PortRange{static_cast<std::uint16_t>(*value), static_cast<std::uint16_t>(*value)};
    return;
  }
  if (const auto text = node->value_exact<std::string>()) out = parse_range(*text, max);
  if (!out)
    table.error(
        key, fmt::format("must be 0..{0}, or a range such as \"{1}\"", max, max > 255 ? "1000-2000" : "0-8"));
}

void read_protocol(TableReader& table, PolicyConfig& policy) {
  const toml::node* const node = table.node("protocol");
  if (node == nullptr) return;
  std::uint8_t value = 0;
  if (node->is_integer()) {
    if (table.integer("protocol", Need::kOptional, value, 0, 255)) policy.protocol = value;
    return;
  }
  std::string name;
  if (!table.text("protocol", Need::kOptional, name, "a name such as \"tcp\" or 0..255")) return;
  policy.protocol = protocol_number(name);
  if (policy.protocol || name == "any") return;
  table.error("protocol", "must be 0..255 or a known name" + did_you_mean(name, protocol_names()));
}

void read_selector(TableReader& table, std::string_view key, std::optional<IpPrefix>& out) {
  IpPrefix prefix;
  if (!table.parsed(key, Need::kOptional, prefix, "a prefix or an address, such as \"10.1.0.0/24\"")) return;
  if (prefix != prefix.network()) {
    table.error(
        key, fmt::format("has bits beyond its length; \"{}\" is its network", prefix.network().to_string()));
  }
  out = prefix;
}

void check_protocol_keys(TableReader& table, const PolicyConfig& policy) {
  const bool is_icmp = policy.protocol == kIcmp || policy.protocol == kIcmpv6;
  for (const char* const key : {"src_ports", "dst_ports"}) {
    if (!table.has(key) || (policy.protocol && has_ports(*policy.protocol))) continue;
    table.error(key, policy.protocol
                         ? fmt::format("must be left out: {} has no ports", protocol_name(*policy.protocol))
                         : "must stand beside a protocol that has ports: tcp, udp, sctp, dccp or udplite");
  }
  for (const char* const key : {"icmp_type", "icmp_code"}) {
    if (table.has(key) && !is_icmp) table.error(key, "must stand beside protocol \"icmp\" or \"icmpv6\"");
  }
  if (policy.icmp_code && !policy.icmp_type) table.error("icmp_code", "must stand beside an icmp_type");
}

void check_families(TableReader& table, const PolicyConfig& policy) {
  if (policy.src && policy.dst && policy.src->address.family != policy.dst->address.family) {
    table.error("src", fmt::format("must be of the same family as dst \"{}\"", policy.dst->to_string()));
    return;
  }
  const auto& known = policy.src ? policy.src : policy.dst;
  if (!known) return;
  if (policy.protocol == kIcmp && !known->address.is_v4()) {
    table.error("protocol", "must be \"icmpv6\" for IPv6 addresses");
  } else if (policy.protocol == kIcmpv6 && known->address.is_v4()) {
    table.error("protocol", "must be \"icmp\" for IPv4 addresses");
  }
}

void read_action(TableReader& table, const Draft& draft, PolicyConfig& policy) {
  if (!table.choice<Action>(
          "action", Need::kRequired, policy.action,
          {{"protect", Action::kProtect}, {"bypass", Action::kBypass}, {"discard", Action::kDiscard}})) {
    return;
  }
  if (policy.action != Action::kProtect) {
    if (table.has("sa")) table.error("sa", "must be left out unless action is \"protect\"");
    return;
  }
  std::uint32_t sa = 0;
  if (table.reference("sa", Need::kRequired, sa, draft.sa_names, "sa")) policy.sa = sa;
}

}  // namespace

void read_policy(TableReader& table, const Draft& draft, PolicyConfig& policy) {
  table.choice<Direction>("direction", Need::kRequired, policy.direction,
                          {{"in", Direction::kIn}, {"out", Direction::kOut}});
  table.integer("priority", Need::kOptional, policy.priority, 0, 0xffffffff, "lower is first");
  read_selector(table, "src", policy.src);
  read_selector(table, "dst", policy.dst);
  read_protocol(table, policy);
  read_range(table, "src_ports", 65535, policy.src_ports);
  read_range(table, "dst_ports", 65535, policy.dst_ports);
  read_range(table, "icmp_type", 255, policy.icmp_type);
  read_range(table, "icmp_code", 255, policy.icmp_code);
  check_protocol_keys(table, policy);
  check_families(table, policy);
  read_action(table, draft, policy);
}

}  // namespace gate96
