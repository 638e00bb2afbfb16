// SPDX-License-Identifier: BSD-3-Clause
// What SAs say together, and with the ports.
#include <fmt/format.h>
#include <sys/stat.h>

#include <map>

#include "dataplane/config_draft.h"

namespace gate96 {
namespace {

bool is_inbound(const SaConfig& sa) {
  return sa.direction != Direction::kOut;
}
bool is_outbound(const SaConfig& sa) {
  return sa.direction != Direction::kIn;
}

std::string called(const Draft& draft, std::size_t index) {
  return fmt::format("sa \"{}\" at line {}", draft.config.sas[index].name, draft.sas[index].line());
}

/// RFC 4301 4.1: a receiver finds an SA by SPI and destination, for multicast by the source as well. An SA
/// from any source meets every other one.
bool is_same_in_sad(const SaConfig& a, const SaConfig& b) {
  if (!a.dst.is_multicast()) return true;
  return a.src == b.src || a.src.is_unspecified() || b.src.is_unspecified();
}

void check_unique(Draft& draft, bool (*wanted)(const SaConfig&)) {
  std::multimap<std::pair<std::uint32_t, IpAddress>, std::size_t> sad;
  const auto& sas = draft.config.sas;
  for (std::size_t i = 0; i < sas.size(); ++i) {
    if (!draft.sas[i].ok() || !wanted(sas[i])) continue;
    const auto [first, last] = sad.equal_range({sas[i].spi, sas[i].dst});
    const auto clash =
        std::find_if(first, last, [&](const auto& e) { return is_same_in_sad(sas[e.second], sas[i]); });
    if (clash != last) {
      draft.sas[i].error("spi", fmt::format("must differ from that of {}: same {} (RFC 4301 4.1)",
                                            called(draft, clash->second),
                                            sas[i].dst.is_multicast() ? "dst and src" : "dst"));
    }
    sad.emplace(std::pair{sas[i].spi, sas[i].dst}, i);
  }
}

/// Routed, ESP ends here: an SA's near end is an address of ours. On a wire it passes through.
void check_ends(Draft& draft) {
  if (!draft.wires.empty() || !all_ok(draft.ports)) return;
  constexpr char kOwn[] = "must be an address of one of this gateway's ports";
  for (std::size_t i = 0; i < draft.sas.size(); ++i) {
    const SaConfig& sa = draft.config.sas[i];
    TableReader& table = draft.sas[i];
    if (!table.ok()) continue;
    if (is_outbound(sa) && !sa.src.is_unspecified() && !is_own(draft.config, sa.src))
      table.error("src", kOwn);
    if (is_inbound(sa) && !sa.dst.is_multicast() && !is_own(draft.config, sa.dst)) table.error("dst", kOwn);
    if (!is_inbound(sa) && is_own(draft.config, sa.dst)) {
      table.error("dst", "must be the peer's address; this is the gateway's own");
    }
  }
}

bool is_reachable(const Config& config, const IpAddress& address) {
  const auto covers = [&](const IpPrefix& prefix) { return prefix.contains(address); };
  return std::ranges::any_of(config.routes, [&](const RouteConfig& route) { return covers(route.to); }) ||
         std::ranges::any_of(config.ports, [&](const PortConfig& port) {
           return std::ranges::any_of(port.addresses, covers);
         });
}

void warn_unreachable(Draft& draft) {
  if (!draft.wires.empty() || !all_ok(draft.ports) || !all_ok(draft.routes)) return;
  for (std::size_t i = 0; i < draft.sas.size(); ++i) {
    const SaConfig& sa = draft.config.sas[i];
    if (!draft.sas[i].ok() || !is_outbound(sa) || sa.dst.is_multicast() || is_reachable(draft.config, sa.dst))
      continue;
    draft.sas[i].warning("dst", "no port's network and no [[route]] leads there");
  }
}

/// The peer's packets could be sent back to it, and be taken for ours. (RFC 4552 asks for just that: "both".)
void warn_shared_keys(Draft& draft) {
  const auto bytes = [&](std::size_t i) { return draft.config.sas[i].key.bytes(); };
  const auto less = [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(bytes(a), bytes(b));
  };
  std::map<std::size_t, std::size_t, decltype(less)> outbound(less);
  for (std::size_t i = 0; i < draft.sas.size(); ++i) {
    if (draft.sas[i].ok() && draft.config.sas[i].direction == Direction::kOut) outbound.emplace(i, i);
  }
  for (std::size_t i = 0; i < draft.sas.size(); ++i) {
    if (!draft.sas[i].ok() || draft.config.sas[i].direction != Direction::kIn) continue;
    const auto found = outbound.find(i);
    if (found == outbound.end()) continue;
    draft.sas[i].warning(draft.sas[i].has("key") ? "key" : "key_file",
                         fmt::format("the same key as {}, the other way; use a key for each direction",
                                     called(draft, found->second)));
  }
}

/// Once a file that is right otherwise: the first SA whose window, like its peer's, would begin anew at each
/// start under the same key.
void warn_forgotten_numbers(Draft& draft) {
  if (draft.says_state_file || has_errors(draft.report.diagnostics)) return;
  for (std::size_t i = 0; i < draft.sas.size(); ++i) {
    const SaConfig& sa = draft.config.sas[i];
    if (!draft.sas[i].ok() || sa.direction != Direction::kIn || sa.replay_window == 0) continue;
    return draft.sas[i].warning(
        "replay_window",
        "will not outlive a restart: old packets pass again, and the peer drops our numbers, which begin at "
        "1 "
        "(RFC 4303 3.3.3); set gateway.state_file, or \"\" where each start has new keys");
  }
}

void warn_readable(Draft& draft) {
  const auto inline_key =
      std::ranges::find_if(draft.sas, [](const TableReader& sa) { return sa.has("key"); });
  struct stat info {};
  if (inline_key == draft.sas.end() || stat(draft.report.file.c_str(), &info) != 0) return;
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) == 0) return;
  inline_key->warning(
      "key",
      fmt::format("others than the owner have access to this file (mode {:04o}); chmod 600, or key_file",
                  info.st_mode & 07777));
}

}  // namespace

void check_sas(Draft& draft) {
  check_names(draft.sas, draft.config.sas, draft.sa_names);
  check_unique(draft, is_inbound);
  check_unique(draft, [](const SaConfig& sa) { return sa.direction == Direction::kOut; });
  check_ends(draft);
  warn_unreachable(draft);
  warn_shared_keys(draft);
  warn_forgotten_numbers(draft);
  warn_readable(draft);
}

}  // namespace gate96
