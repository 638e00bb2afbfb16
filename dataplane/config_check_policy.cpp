// SPDX-License-Identifier: BSD-3-Clause
// What policies say together, and with the SAs.
#include <fmt/format.h>

#include "dataplane/config_draft.h"

namespace gate96 {
namespace {

constexpr std::size_t kMaxCompared = 1000;  // pairs are compared; a file of more is written by a program

std::string_view name_of(Direction direction) {
  return direction == Direction::kIn ? "in" : "out";
}

bool covers(const std::optional<IpPrefix>& wide, const std::optional<IpPrefix>& narrow) {
  if (!wide) return true;
  return narrow && wide->len <= narrow->len && wide->contains(narrow->address);
}

bool covers(const std::optional<PortRange>& wide, const std::optional<PortRange>& narrow) {
  if (!wide) return true;
  return narrow && wide->low <= narrow->low && wide->high >= narrow->high;
}

/// True if whatever matches `narrow` matches `wide` too.
bool covers(const PolicyConfig& wide, const PolicyConfig& narrow) {
  return wide.direction == narrow.direction && covers(wide.src, narrow.src) && covers(wide.dst, narrow.dst) &&
         (!wide.protocol || wide.protocol == narrow.protocol) && covers(wide.src_ports, narrow.src_ports) &&
         covers(wide.dst_ports, narrow.dst_ports) && covers(wide.icmp_type, narrow.icmp_type) &&
         covers(wide.icmp_code, narrow.icmp_code);
}

/// True if `a` is asked before `b`: lower number, then order in the file.
bool is_before(const Config& config, std::size_t a, std::size_t b) {
  const auto key = [&](std::size_t i) { return std::pair{config.policies[i].priority, i}; };
  return key(a) < key(b);
}

void warn_shadowed(Draft& draft) {
  const auto& policies = draft.config.policies;
  if (policies.size() > kMaxCompared) return;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    for (std::size_t j = 0; j < policies.size() && draft.policies[i].ok(); ++j) {
      if (!draft.policies[j].ok() || !is_before(draft.config, j, i) || !covers(policies[j], policies[i]))
        continue;
      draft.policies[i].warning("",
                                fmt::format("never matches: the policy at line {} comes first and covers it",
                                            draft.policies[j].line()));
      break;
    }
  }
}

/// A transport SA is between two hosts; its policies must let those two through.
void check_transport(TableReader& table, const PolicyConfig& policy, const SaConfig& sa) {
  const auto check = [&](std::string_view key, const std::optional<IpPrefix>& selector,
                         const IpAddress& host) {
    if (!selector || selector->contains(host)) return;
    if (selector->address.family == host.family && host.is_unspecified()) return;  // from any source
    table.error(
        key, fmt::format("must cover {} {} of sa \"{}\" (transport mode)", key, host.to_string(), sa.name));
  };
  check("src", policy.src, sa.src);
  check("dst", policy.dst, sa.dst);
}

void check_protect(Draft& draft, TableReader& table, const PolicyConfig& policy) {
  const SaConfig& sa = draft.config.sas[*policy.sa];
  if (!draft.sas[*policy.sa].ok()) return;
  if (sa.direction != Direction::kBoth && sa.direction != policy.direction) {
    table.error("sa", fmt::format("must be an SA of direction \"{}\"; this one is \"{}\"",
                                  name_of(policy.direction), name_of(sa.direction)));
  } else if (sa.mode == Mode::kTransport) {
    check_transport(table, policy, sa);
  }
}

void warn_unnamed(Draft& draft) {
  std::vector<bool> named_in(draft.sas.size()), named_out(draft.sas.size());
  for (const PolicyConfig& policy : draft.config.policies) {
    if (policy.sa) (policy.direction == Direction::kIn ? named_in : named_out)[*policy.sa] = true;
  }
  for (std::size_t i = 0; i < draft.sas.size(); ++i) {
    const Direction direction = draft.config.sas[i].direction;
    if (!draft.sas[i].ok()) continue;
    if (direction != Direction::kOut && !named_in[i]) {
      draft.sas[i].warning(
          "name", "no policy of direction \"in\" names it: all it carries is dropped (RFC 4301 5.2)");
    }
    if (direction != Direction::kIn && !named_out[i]) {
      draft.sas[i].warning("name", "no policy of direction \"out\" names it: it is never used");
    }
  }
}

}  // namespace

void check_policies(Draft& draft) {
  for (std::size_t i = 0; i < draft.policies.size(); ++i) {
    const PolicyConfig& policy = draft.config.policies[i];
    if (draft.policies[i].ok() && policy.sa) check_protect(draft, draft.policies[i], policy);
  }
  warn_shadowed(draft);
  if (all_ok(draft.policies)) warn_unnamed(draft);
}

}  // namespace gate96
