// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <netdb.h>

#include <charconv>

#include "dataplane/config_protocols.h"
#include "dataplane/import_draft.h"

namespace gate96 {
namespace {

/// As the kernel finds a state for a policy. A transport state is also found by its hosts.
bool fits(const XfrmPolicy& policy, const XfrmState& state) {
  const XfrmTemplate& wanted = policy.templates[0];
  const auto same = [](const IpAddress& a, const IpAddress& b) { return a.is_unspecified() || a == b; };
  const auto covers = [](const IpPrefix& p, const IpAddress& host) {
    return host.is_unspecified() || p.contains(host);
  };
  if (wanted.reqid != 0 && wanted.reqid != state.reqid) return false;
  if (wanted.mode != state.mode || !same(wanted.src, state.src) || !same(wanted.dst, state.dst)) return false;
  return state.mode == "tunnel" || (covers(policy.src, state.src) && covers(policy.dst, state.dst));
}

std::optional<std::uint8_t> protocol(std::string_view name) {
  if (const auto known = protocol_number(name)) return known;
  const std::string text(name);
  if (const protoent* const entry = getprotobyname(text.c_str()))
    return static_cast<std::uint8_t>(entry->p_proto);
  std::uint8_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<PortRange> just(std::optional<std::uint16_t> number) {
  if (!number) return std::nullopt;
  return PortRange{*number, *number};
}

std::optional<IpPrefix> unless_any(const IpPrefix& prefix, bool keep) {
  if (prefix.len == 0 && !keep) return std::nullopt;
  return prefix;
}

PolicyConfig to_policy(const XfrmPolicy& policy, Direction direction) {
  PolicyConfig result;
  const bool both_any = policy.src.len == 0 && policy.dst.len == 0;
  result.direction = direction;
  result.priority = policy.priority;
  result.src = unless_any(policy.src, both_any);  // one keeps the family
  result.dst = unless_any(policy.dst, both_any);
  if (!policy.proto.empty()) result.protocol = protocol(policy.proto);
  result.src_ports = just(policy.sport);
  result.dst_ports = just(policy.dport);
  result.icmp_type = just(policy.type);
  result.icmp_code = just(policy.code);
  return result;
}

/// Why gate96 cannot have a policy; empty if it can.
std::string unfit(const XfrmPolicy& policy) {
  if (!policy.device.empty()) return fmt::format("bound to interface {}", policy.device);
  if (!policy.proto.empty() && !protocol(policy.proto))
    return fmt::format("protocol {} is not known", policy.proto);
  if (policy.templates.size() > 1) return "several transforms at once";
  if (!policy.block && !policy.templates.empty() && policy.templates[0].optional)
    return "level use: gate96 has no \"protect if you can\"";
  return {};
}

/// Gives `policy` the SAs that its template finds: inbound each of them, outbound one.
void protect(Import& import, const XfrmPolicy& origin, PolicyConfig policy) {
  policy.action = Action::kProtect;
  bool found = false;
  for (std::uint32_t i = 0; i < import.config.sas.size(); ++i) {
    if (!fits(origin, *import.origins[i])) continue;
    import.wanted[i].insert(policy.direction);
    policy.sa = i;
    import.config.policies.push_back(policy);
    found = true;
    if (policy.direction == Direction::kOut) return;
  }
  if (!found)
    leave_out(import, origin.line, "the policy: none of the states that are taken fits its template");
}

void take(Import& import, const XfrmPolicy& policy) {
  if (const std::string why = unfit(policy); !why.empty())
    return leave_out(import, policy.line, "the policy: " + why);
  const bool is_out = (policy.direction == "out") == (import.whose == Listing::kOurs);
  PolicyConfig result = to_policy(policy, is_out ? Direction::kOut : Direction::kIn);
  if (!policy.block && !policy.templates.empty()) return protect(import, policy, result);
  result.action = policy.block ? Action::kDiscard : Action::kBypass;
  import.config.policies.push_back(result);
}

}  // namespace

void take_policies(Import& import) {
  using Port = std::optional<std::uint16_t>;
  std::set<std::tuple<bool, IpPrefix, IpPrefix, std::string_view, Port, Port, Port, Port>> seen;
  for (const XfrmPolicy& policy : import.listing.policies) {
    if (policy.direction.empty()) continue;  // a socket's own
    const bool is_new = seen.emplace(policy.direction == "out", policy.src, policy.dst, policy.proto,
                                     policy.sport, policy.dport, policy.type, policy.code)
                            .second;
    if (is_new) take(import, policy);  // "in" and "fwd" are one list here
  }
}

}  // namespace gate96
