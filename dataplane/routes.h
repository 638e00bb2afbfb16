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
  std::optional<IpAddress> via;
};

/// Immutable once built.
class Routes {
 public:
  /// Connected prefixes come from the ports' addresses. Throws std::runtime_error if a table cannot be built.
  Routes(const std::vector<PortInfo>& ports, const std::vector<RouteConfig>& routes);

  /// `dst`: 4 or 16 bytes in network order. Null: no route.
  [[nodiscard]] const NextHop* lookup(Family family, const std::uint8_t* dst) const;

  /// True if `dst` is an address of any of the gateway's ports.
  [[nodiscard]] bool is_own(Family family, const std::uint8_t* dst) const;

 private:
  struct FreeLpm {
    void operator()(rte_lpm* lpm) const { rte_lpm_free(lpm); }
    void operator()(rte_lpm6* lpm) const { rte_lpm6_free(lpm); }
  };
  void add(const IpPrefix& prefix, NextHop hop);

  std::vector<NextHop> hops_;  // LPM values are indices into it
  std::optional<std::size_t>
      default_[2];  // 0.0.0.0/0 and ::/0, kept out of the LPM: they would touch all of it
  std::unique_ptr<rte_lpm, FreeLpm> v4_;
  std::unique_ptr<rte_lpm6, FreeLpm> v6_;
  std::vector<IpAddress> own_;
};

}  // namespace gate96
