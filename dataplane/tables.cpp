// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/tables.h"

namespace gate96 {
namespace {

std::vector<std::shared_ptr<Sa>> make_sas(const Config& config) {
  std::vector<std::shared_ptr<Sa>> sas;
  for (const SaConfig& sa : config.sas) sas.push_back(std::make_shared<Sa>(sa));
  return sas;
}

std::vector<Sa*> with_seconds(const std::vector<std::shared_ptr<Sa>>& sas) {
  std::vector<Sa*> timed;
  for (const auto& sa : sas) {
    if (sa->life.seconds.soft || sa->life.seconds.hard) timed.push_back(sa.get());
  }
  return timed;
}

std::vector<Policy> make_policies(const Config& config, const std::vector<std::shared_ptr<Sa>>& sas) {
  std::vector<Policy> policies;
  for (const PolicyConfig& policy : config.policies) {
    policies.push_back({policy, policy.sa ? sas.at(*policy.sa) : nullptr});
  }
  return policies;
}

}  // namespace

Tables::Tables(const Config& config, const std::vector<PortInfo>& ports)
    : sas(make_sas(config)),
      timed_sas(with_seconds(sas)),
      routes(ports, config.routes),
      sad(sas),
      inbound(Direction::kIn, make_policies(config, sas)),
      outbound(Direction::kOut, make_policies(config, sas)) {}

}  // namespace gate96
