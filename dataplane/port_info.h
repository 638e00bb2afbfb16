// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dataplane/address.h"
#include "dataplane/config.h"

namespace gate96 {

/// As a port's own address: unknown, so every frame is for us (`gate96 explain`).
inline constexpr MacAddress kAnyMac{};

/// What the stages need to know of a port. Constant while the gateway runs.
struct PortInfo {
  std::string name;
  Role role = Role::kProtected;
  unsigned mtu = 1500;  // IP bytes
  MacAddress mac;
  std::vector<IpPrefix> addresses;
  std::optional<std::uint8_t>
      wire_peer;  // index of the port at the other end, if the port is part of a [[wire]]
  std::optional<IpAddress> link_local;  // IPv6, from the MAC address, if the port has any IPv6 address
  unsigned num_queues = 16;  // receive and transmit queues; a worker without one of its own uses another's
};

/// Of config.ports[index]; MAC and link-local address are the device's to add.
[[nodiscard]] inline PortInfo make_port_info(const Config& config, std::size_t index) {
  const PortConfig& port = config.ports[index];
  PortInfo info{port.name, port.role, port.mtu, kAnyMac, port.addresses, std::nullopt, std::nullopt};
  for (const WireConfig& wire : config.wires) {
    if (wire.protected_port == index) info.wire_peer = static_cast<std::uint8_t>(wire.unprotected_port);
    if (wire.unprotected_port == index) info.wire_peer = static_cast<std::uint8_t>(wire.protected_port);
  }
  return info;
}

/// Of all ports, in file order: for running packets without devices.
[[nodiscard]] inline std::vector<PortInfo> make_port_infos(const Config& config) {
  std::vector<PortInfo> infos;
  for (std::size_t i = 0; i < config.ports.size(); ++i) infos.push_back(make_port_info(config, i));
  return infos;
}

/// The port's own address of `family` from which to speak to `peer`: one that shares its prefix, or the
/// first.
[[nodiscard]] inline const IpPrefix* own_address(const PortInfo& port, const IpAddress& peer) {
  const IpPrefix* first = nullptr;
  for (const IpPrefix& own : port.addresses) {
    if (own.address.family != peer.family) continue;
    if (own.network().contains(peer)) return &own;
    if (first == nullptr) first = &own;
  }
  return first;
}

}  // namespace gate96
