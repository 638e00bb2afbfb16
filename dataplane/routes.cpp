// SPDX-License-Identifier: BSD-3-Clause
#include "dataplane/routes.h"

#include <fmt/format.h>
#include <rte_errno.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <stdexcept>

namespace gate96 {
namespace {

std::atomic<unsigned> serial{0};

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::runtime_error(fmt::format("routes: {}: {}", what, rte_strerror(error)));
}

std::uint32_t host_order(const std::uint8_t* bytes) {
  rte_be32_t word = 0;
  std::memcpy(&word, bytes, 4);
  return rte_be_to_cpu_32(word);
}

NextHop make_hop(const std::vector<PortInfo>& ports, std::size_t port, const std::optional<IpAddress>& via) {
  NextHop hop{.port = static_cast<std::uint8_t>(port), .mtu = ports[port].mtu, .via = via};
  if (via && via->is_v4()) std::memcpy(&hop.via_v4, via->bytes.data(), sizeof hop.via_v4);
  return hop;
}

IpPrefix whole(const IpAddress& address) {
  return {address, static_cast<std::uint8_t>(address.is_v4() ? 32 : 128)};
}

}  // namespace

Routes::Routes(const std::vector<PortInfo>& ports, const std::vector<RouteConfig>& routes) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    for (const IpPrefix& address : ports[i].addresses)
      add(address.network(), make_hop(ports, i, std::nullopt));
  }
  for (const RouteConfig& route : routes) add(route.to, make_hop(ports, route.port, route.via));
  // Last, so that no route can take an own address away.
  for (std::size_t i = 0; i < ports.size(); ++i) {
    for (const IpPrefix& address : ports[i].addresses) {
      own_.push_back(address.address);
      NextHop hop = make_hop(ports, i, std::nullopt);
      hop.own = true;
      add(whole(address.address), hop);
    }
  }
}

void Routes::add(const IpPrefix& prefix, NextHop hop) {
  const auto index = static_cast<std::uint32_t>(hops_.size());
  hops_.push_back(std::move(hop));
  const bool v4 = prefix.address.is_v4();
  if (prefix.len == 0) {
    default_[v4 ? 0 : 1] = index;
    return;
  }
  int error = 0;
  if (v4) {
    if (!v4_) {
      const rte_lpm_config config = {.max_rules = 8192, .number_tbl8s = 8192, .flags = 0};
      v4_.reset(rte_lpm_create(fmt::format("lpm{}", serial.fetch_add(1)).c_str(), SOCKET_ID_ANY, &config));
      if (!v4_) fail("IPv4 table", rte_errno);
    }
    error = rte_lpm_add(v4_.get(), host_order(prefix.address.bytes.data()), prefix.len, index);
  } else {
    if (!v6_) {
      rte_lpm6_config config = {.max_rules = 8192, .number_tbl8s = 1u << 14, .flags = 0};
      v6_.reset(rte_lpm6_create(fmt::format("lpm{}", serial.fetch_add(1)).c_str(), SOCKET_ID_ANY, &config));
      if (!v6_) fail("IPv6 table", rte_errno);
    }
    std::uint8_t bytes[16];
    std::memcpy(bytes, prefix.address.bytes.data(), sizeof bytes);
    error = rte_lpm6_add(v6_.get(), bytes, prefix.len, index);
  }
  if (error != 0) fail(prefix.to_string(), -error);
}

const NextHop* Routes::lookup(Family family, const std::uint8_t* dst) const {
  if (family == Family::kIpv4) {
    rte_be32_t address = 0;
    std::memcpy(&address, dst, sizeof address);
    return lookup_v4(address);
  }
  std::uint32_t index = 0;
  const bool hit = v6_ && rte_lpm6_lookup(v6_.get(), dst, &index) == 0;
  return hit ? &hops_[index] : fallback(family);
}

bool Routes::is_own(Family family, const std::uint8_t* dst) const {
  const std::size_t len = family == Family::kIpv4 ? 4 : 16;
  return std::any_of(own_.begin(), own_.end(), [&](const IpAddress& own) {
    return own.family == family && std::memcmp(own.bytes.data(), dst, len) == 0;
  });
}

}  // namespace gate96
