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

/// Packets of one family, for rte_acl.
class Question {
 public:
  void add(const rte_mbuf* m, std::uint16_t place) {
    keys_[num_].fill(m);
    pointers_[num_] = keys_[num_].bytes;
    places_[num_++] = place;
  }

  /// result[place] = the ruling of the first policy that matches, if one does.
  void ask(const rte_acl_ctx* acl, const std::vector<Ruling>& rulings, const Ruling** result) {
    if (num_ == 0) return;
    std::uint32_t matches[kMaxPackets];
    rte_acl_classify(acl, pointers_, matches, num_, 1);
    for (std::uint16_t i = 0; i < num_; ++i) {
      if (matches[i] != 0) result[places_[i]] = &rulings[matches[i] - 1];
    }
  }

 private:
  std::uint16_t num_ = 0;
  spd_key::Key keys_[kMaxPackets];
  const std::uint8_t* pointers_[kMaxPackets];
  std::uint16_t places_[kMaxPackets];
};

}  // namespace

Spd::Spd(Direction direction, std::vector<Policy> policies_in_file_order) {
  for (Policy& policy : policies_in_file_order) {
    if (policy.config.direction == direction) policies_.push_back(std::move(policy));
  }
  std::stable_sort(policies_.begin(), policies_.end(),
                   [](const Policy& a, const Policy& b) { return a.config.priority < b.config.priority; });
  for (const Policy& policy : policies_) {
    rulings_.push_back({policy.sa.get(), policy.config.action, static_cast<std::uint32_t>(rulings_.size())});
  }
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

const Ruling* Spd::walk(const rte_mbuf* m) const {
  for (const Ruling& ruling : rulings_) {
    if (spd_key::matches(policies_[ruling.policy].config, m)) return &ruling;
  }
  return nullptr;
}

void Spd::classify(rte_mbuf** packets, std::uint16_t num, const Ruling** result) const {
  Question questions[2];
  for (std::uint16_t i = 0; i < num; ++i) {
    result[i] = nullptr;
    if (spd_key::needs_slow_path(packets[i])) [[unlikely]] {
      result[i] = walk(packets[i]);
    } else {
      questions[info(packets[i]).family == Family::kIpv6].add(packets[i], i);
    }
  }
  for (std::size_t family = 0; family < 2; ++family) {
    if (acls_[family]) questions[family].ask(acls_[family].get(), rulings_, result);
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
