// SPDX-License-Identifier: BSD-3-Clause
// Where a datagram goes next: longest prefix match (rte_lpm, rte_lpm6) over connected prefixes and
// [[route]]s.
#pragma once

#include <rte_lpm.h>
#include <rte_lpm6.h>

#include <memory>
#include <optional>
#include <vector>

#include "dataplane/config.h"
#include "dataplane/port_info.h"

namespace gate96 {

/// `via` none: the destination itself is on the link of `port`.
struct NextHop {
  std::uint8_t port = 0;
  bool own = false;       // the destination is an address of the gateway, on `port`
  unsigned mtu = 0;       // of `port`
  rte_be32_t via_v4 = 0;  // `via` as a number, if it is IPv4; 0: none
  std::optional<IpAddress> via;
};

/// Immutable once built.
class Routes {
 public:
  /// Connected prefixes come from the ports' addresses. Throws std::runtime_error if a table cannot be built.
  Routes(const std::vector<PortInfo>& ports, const std::vector<RouteConfig>& routes);

  /// `dst`: 4 or 16 bytes in network order. Null: no route.
  [[nodiscard]] const NextHop* lookup(Family family, const std::uint8_t* dst) const;
  [[nodiscard]] const NextHop* lookup_v4(rte_be32_t dst) const {
    std::uint32_t index = 0;
    const bool hit = v4_ && rte_lpm_lookup(v4_.get(), rte_be_to_cpu_32(dst), &index) == 0;
    return hit ? &hops_[index] : fallback(Family::kIpv4);
  }

  /// True if `dst` is an address of any of the gateway's ports.
  [[nodiscard]] bool is_own(Family family, const std::uint8_t* dst) const;

 private:
  struct FreeLpm {
    void operator()(rte_lpm* lpm) const { rte_lpm_free(lpm); }
    void operator()(rte_lpm6* lpm) const { rte_lpm6_free(lpm); }
  };
  void add(const IpPrefix& prefix, NextHop hop);
  [[nodiscard]] const NextHop* fallback(Family family) const {
    const auto& hop = default_[family == Family::kIpv4 ? 0 : 1];
    return hop ? &hops_[*hop] : nullptr;
  }

  std::vector<NextHop> hops_;  // LPM values are indices into it
  std::optional<std::size_t>
      default_[2];  // 0.0.0.0/0 and ::/0, kept out of the LPM: they would touch all of it
  std::unique_ptr<rte_lpm, FreeLpm> v4_;
  std::unique_ptr<rte_lpm6, FreeLpm> v6_;
  std::vector<IpAddress> own_;
};

}  // namespace gate96
