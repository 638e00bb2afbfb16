// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/spd.h"

#include <fmt/format.h>
#include <rte_errno.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>

#include "dataplane/spd_key.h"
#include "dataplane/wire_format.h"

namespace gate96 {
namespace {

bool covers(const PolicyConfig& policy, Family family) {
  return !(policy.src && policy.src->address.family != family) &&
         !(policy.dst && policy.dst->address.family != family);
}

/// rte_acl: the highest priority wins and must be positive; ours: the first policy wins.
std::int32_t acl_priority(std::size_t index) {
  return RTE_ACL_MAX_PRIORITY - static_cast<std::int32_t>(index);
}

[[noreturn]] void fail(const char* step, int error) {
  throw std::runtime_error(fmt::format("policies: {}: {}", step, rte_strerror(error)));
}

}  // namespace

Spd::Spd(Direction direction, std::vector<Policy> policies_in_file_order) {
  for (Policy& policy : policies_in_file_order) {
    if (policy.config.direction == direction) policies_.push_back(std::move(policy));
  }
  std::stable_sort(policies_.begin(), policies_.end(),
                   [](const Policy& a, const Policy& b) { return a.config.priority < b.config.priority; });
  acls_ = {build(Family::kIpv4), build(Family::kIpv6)};
}

Spd::Acl Spd::build(Family family) const {
  static std::atomic<unsigned> serial{0};
  std::vector<spd_key::Rule> rules;
  for (std::size_t i = 0; i < policies_.size(); ++i) {
    if (!covers(policies_[i].config, family)) continue;
    for (spd_key::Rule& rule : spd_key::make_rules(policies_[i].config, family)) {
      rule.data = {1, acl_priority(i), static_cast<std::uint32_t>(i + 1)};
      rules.push_back(rule);
    }
  }
  if (rules.empty()) return nullptr;
  const std::string name = fmt::format("spd{}", serial.fetch_add(1));
  const rte_acl_param param = {name.c_str(), SOCKET_ID_ANY, spd_key::rule_size(family),
                               static_cast<std::uint32_t>(rules.size())};
  Acl acl(rte_acl_create(&param));
  if (!acl) fail("create", rte_errno);
  for (const spd_key::Rule& rule : rules) {
    const auto* as_acl = reinterpret_cast<const rte_acl_rule*>(&rule);
    if (const int error = rte_acl_add_rules(acl.get(), as_acl, 1); error != 0) fail("add", -error);
  }
  const rte_acl_config config = spd_key::acl_config(family);
  if (const int error = rte_acl_build(acl.get(), &config); error != 0) fail("build", -error);
  return acl;
}

const Policy* Spd::walk(const rte_mbuf* m) const {
  for (const Policy& policy : policies_) {
    if (spd_key::matches(policy.config, m)) return &policy;
  }
  return nullptr;
}

void Spd::classify(rte_mbuf** packets, std::uint16_t num, const Policy** result) const {
  spd_key::Key keys[kMaxPackets];
  const std::uint8_t* pointers[kMaxPackets];
  std::uint16_t places[kMaxPackets];
  std::uint32_t matches[kMaxPackets];
  for (const Family family : {Family::kIpv4, Family::kIpv6}) {
    std::uint16_t n = 0;
    for (std::uint16_t i = 0; i < num; ++i) {
      if (info(packets[i]).family != family) continue;
      result[i] = nullptr;
      if (spd_key::needs_slow_path(packets[i])) [[unlikely]] {
        result[i] = walk(packets[i]);
        continue;
      }
      keys[n].fill(packets[i]);
      pointers[n] = keys[n].bytes;
      places[n++] = i;
    }
    const rte_acl_ctx* acl = acls_[family == Family::kIpv6].get();
    if (n == 0 || acl == nullptr) continue;
    rte_acl_classify(acl, pointers, matches, n, 1);
    for (std::uint16_t i = 0; i < n; ++i) {
      if (matches[i] != 0) result[places[i]] = &policies_[matches[i] - 1];
    }
  }
}

bool Spd::within_selectors(const rte_mbuf* m, const Sa* sa) const {
  for (const Policy& policy : policies_) {
    const bool other = policy.config.action == Action::kProtect && policy.sa.get() != sa;
    if (!other && spd_key::matches(policy.config, m)) return policy.sa.get() == sa;
  }
  return false;
}

}  // namespace gate96
