// SPDX-License-Identifier: BSD-3-Clause
// The security policy database (RFC 4301 4.4.1): which packets are protected, bypassed or discarded.
#pragma once

#include <rte_acl.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/packet.h"

namespace gate96 {

struct Policy {
  PolicyConfig config;
  std::shared_ptr<Sa> sa;  // for kProtect
};

/// What the packet path needs of a policy.
struct Ruling {
  Sa* sa = nullptr;  // for kProtect
  Action action = Action::kDiscard;
  std::uint32_t policy = 0;  // index into policies()
};

/// Immutable once built. Lower priority numbers first, equal ones in file order, no match: discard.
class Spd {
 public:
  /// `direction`: kIn or kOut. Throws std::runtime_error if rte_acl cannot be built.
  Spd(Direction direction, std::vector<Policy> policies_in_file_order);

  /// result[i] = what the policy that matches packets[i] says, or null: none. num <= kMaxPackets.
  void classify(rte_mbuf** packets, std::uint16_t num, const Ruling** result) const;

  /// The first match among the policies, with those that protect by another SA than `sa` left out: whether a
  /// decapsulated packet lies within the selectors of `sa` (RFC 4301 5.2 step 4). Slow path of overlapping
  /// SAs.
  [[nodiscard]] bool within_selectors(const rte_mbuf* m, const Sa* sa) const;

  [[nodiscard]] const std::vector<Policy>& policies() const { return policies_; }

 private:
  struct FreeAcl {
    void operator()(rte_acl_ctx* acl) const { rte_acl_free(acl); }
  };
  using Acl = std::unique_ptr<rte_acl_ctx, FreeAcl>;

  [[nodiscard]] Acl build(Family family) const;
  [[nodiscard]] const Ruling* walk(const rte_mbuf* m) const;

  std::vector<Policy> policies_;  // in order of precedence
  std::vector<Ruling> rulings_;   // of policies_
  std::array<Acl, 2> acls_;       // IPv4, IPv6; null: no policy of that family
};

}  // namespace gate96
