// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/tables.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <unordered_map>

namespace gate96 {
namespace {

bool is_same(const SaConfig& a, const SaConfig& b) {
  return a.direction == b.direction && a.spi == b.spi && a.dst == b.dst && a.key == b.key;
}

/// Finds a configuration's SAs by what makes them the same.
class SaIndex {
 public:
  explicit SaIndex(const std::vector<SaConfig>& sas) : sas_(sas) {
    for (std::size_t i = 0; i < sas.size(); ++i) by_spi_.emplace(sas[i].spi, i);
  }
  [[nodiscard]] std::optional<std::size_t> find(const SaConfig& sa) const {
    const auto [first, last] = by_spi_.equal_range(sa.spi);
    const auto found =
        std::find_if(first, last, [&](const auto& item) { return is_same(sas_[item.second], sa); });
    return found == last ? std::nullopt : std::optional(found->second);
  }

 private:
  const std::vector<SaConfig>& sas_;
  std::unordered_multimap<std::uint32_t, std::size_t> by_spi_;
};

std::vector<std::shared_ptr<Sa>> make_sas(const Config& config, const Predecessor* old,
                                          std::vector<Tables::Succession>& successions,
                                          std::size_t& num_kept) {
  static const std::vector<SaConfig> kNone;
  const SaIndex index(old == nullptr ? kNone : old->config.sas);
  std::vector<std::shared_ptr<Sa>> sas;
  for (const SaConfig& sa : config.sas) {
    const auto same = index.find(sa);
    num_kept += same.has_value();
    if (same && old->config.sas[*same] == sa) {
      sas.push_back(old->tables.sas[*same]);
      continue;
    }
    sas.push_back(std::make_shared<Sa>(sa));
    if (same) successions.push_back({old->tables.sas[*same], sas.back().get()});
  }
  return sas;
}

std::vector<Sa*> with_seconds(const std::vector<std::shared_ptr<Sa>>& sas) {
  std::vector<Sa*> timed;
  for (const auto& sa : sas) {
    if (sa->life.seconds.soft || sa->life.seconds.hard) timed.push_back(sa.get());
  }
  return timed;
}

/// The routed port that has `address`. A wire has none.
std::optional<std::uint8_t> port_of(const std::vector<PortInfo>& ports, const IpAddress& address) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].wire_peer) continue;
    for (const IpPrefix& own : ports[i].addresses) {
      if (own.address == address) return static_cast<std::uint8_t>(i);
    }
  }
  return std::nullopt;
}

std::vector<Keepalive> make_keepalives(const std::vector<std::shared_ptr<Sa>>& sas,
                                       const std::vector<PortInfo>& ports) {
  std::vector<Keepalive> keepalives;
  for (const auto& sa : sas) {
    if (!sa->udp_encap || sa->direction == Direction::kIn || sa->udp_encap->keepalive_seconds == 0) continue;
    if (const auto port = port_of(ports, sa->src)) keepalives.push_back({sa.get(), *port});
  }
  return keepalives;
}

std::uint32_t next_generation() {
  static std::atomic<std::uint32_t> last{0};
  return ++last;
}

std::vector<Policy> make_policies(const Config& config, const std::vector<std::shared_ptr<Sa>>& sas) {
  std::vector<Policy> policies;
  for (const PolicyConfig& policy : config.policies) {
    policies.push_back({policy, policy.sa ? sas.at(*policy.sa) : nullptr});
  }
  return policies;
}

}  // namespace

Tables::Tables(const Config& config, const std::vector<PortInfo>& ports, const Predecessor* old)
    : generation(next_generation()),
      sas(make_sas(config, old, successions, num_kept)),
      keepalives(make_keepalives(sas, ports)),
      timed_sas(with_seconds(sas)),
      routes(ports, config.routes),
      sad(sas),
      inbound(Direction::kIn, make_policies(config, sas)),
      outbound(Direction::kOut, make_policies(config, sas)) {}

}  // namespace gate96
