// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/import_linux.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dataplane/import_draft.h"

namespace gate96 {
namespace {

constexpr std::uint8_t kGuessedLenIpv4 = 24;
constexpr std::uint8_t kGuessedLenIpv6 = 64;

bool has_many_senders(const SaConfig& sa) {
  return sa.direction == Direction::kBoth || (sa.dst.is_multicast() && sa.src.is_unspecified());
}

std::string name_for(const SaConfig& sa, const std::vector<SaConfig>& taken) {
  constexpr std::string_view kDirections[] = {"in", "out", "both"};
  const std::string stem =
      fmt::format("{}-{:x}", kDirections[static_cast<std::size_t>(sa.direction)], sa.spi);
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::any_of(taken, [&](const SaConfig& other) { return other.name == name; });
  };
  std::string name = stem;
  for (unsigned i = 2; is_taken(name); ++i) name = fmt::format("{}-{}", stem, i);
  return name;
}

/// What depends on the direction: name, window, and the number to go on from, lest one be used twice.
void complete(const Import& import, SaConfig& sa, const XfrmState& origin,
              const std::set<Direction>& wanted) {
  sa.direction = wanted.size() == 2 ? Direction::kBoth : *wanted.begin();
  sa.name = name_for(sa, import.config.sas);
  const bool is_out = sa.direction == Direction::kOut;
  if (!is_out) sa.replay_window = origin.replay_window == 0 ? 0 : std::max(origin.replay_window, 32U);
  if (has_many_senders(sa)) sa.replay_window = 0;
  const std::uint64_t last = is_out == (import.whose == Listing::kOurs) ? origin.oseq : origin.seq;
  if (sa.direction != Direction::kBoth) sa.seq_start = last + 1;
}

bool is_possible(const SaConfig& sa, const std::set<Direction>& wanted) {
  return wanted.size() == 1 || (sa.mode == Mode::kTransport && sa.dst.is_multicast());
}

/// Keeps the SAs that policies found, and lets the policies point at their new places.
void keep_wanted(Import& import) {
  const std::vector<SaConfig> all = std::exchange(import.config.sas, {});
  std::vector<std::optional<std::uint32_t>> new_index(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& wanted = import.wanted[i];
    if (wanted.empty()) {
      leave_out(import, import.origins[i]->line,
                fmt::format("the state of SPI {:#x}: no policy needs it", all[i].spi));
    } else if (!is_possible(all[i], wanted)) {
      leave_out(import, import.origins[i]->line,
                fmt::format("the state of SPI {:#x}: policies of both directions find it", all[i].spi));
    } else {
      new_index[i] = static_cast<std::uint32_t>(import.config.sas.size());
      SaConfig sa = all[i];
      complete(import, sa, *import.origins[i], wanted);
      import.config.sas.push_back(std::move(sa));
    }
  }
  std::erase_if(import.config.policies,
                [&](const PolicyConfig& policy) { return policy.sa && !new_index[*policy.sa]; });
  for (PolicyConfig& policy : import.config.policies) {
    if (policy.sa) policy.sa = new_index[*policy.sa];
  }
}

/// The listing tells the addresses of our ends, but neither their networks nor their ports.
void guess_ports(Config& config) {
  std::set<IpAddress> own;
  for (const SaConfig& sa : config.sas) {
    if (sa.direction == Direction::kOut) own.insert(sa.src);
    if (sa.direction == Direction::kIn && !sa.dst.is_multicast()) own.insert(sa.dst);
  }
  PortConfig lan, wan;
  lan.name = "lan";
  lan.device = "af_packet:lan";
  wan.name = "wan";
  wan.device = "af_packet:wan";
  wan.role = Role::kUnprotected;
  for (const IpAddress& address : own) {
    if (address.is_unspecified()) continue;
    wan.addresses.push_back({address, address.is_v4() ? kGuessedLenIpv4 : kGuessedLenIpv6});
  }
  config.ports = {std::move(lan), std::move(wan)};
}

}  // namespace

void leave_out(Import& import, unsigned line, const std::string& what) {
  Diagnostic diagnostic = error("left out: " + what);
  diagnostic.severity = Severity::kWarning;
  diagnostic.file = import.file;
  diagnostic.line = line;
  import.said.push_back(std::move(diagnostic));
}

Result<Config> import_linux(std::string_view text, const std::string& file, Listing whose) {
  Import import;
  import.file = file;
  import.whose = whose;
  import.listing = parse_xfrm(text);
  take_states(import);
  take_policies(import);
  keep_wanted(import);
  guess_ports(import.config);
  std::ranges::stable_sort(import.said, {}, &Diagnostic::line);
  if (!import.config.sas.empty()) return {std::move(import.config), std::move(import.said)};
  Diagnostic nothing = error("no SA to take: it must hold what `ip xfrm state` and `ip xfrm policy` print");
  nothing.file = file;
  import.said.push_back(std::move(nothing));
  return Result<Config>(std::move(import.said));
}

}  // namespace gate96
