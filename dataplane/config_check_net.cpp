// SPDX-License-Identifier: BSD-3-Clause
// What ports, wires and routes say together.
#include <fmt/format.h>

#include <map>

#include "dataplane/config_draft.h"

namespace gate96 {
namespace {

constexpr unsigned kMinMtuIpv6 = 1280;  // RFC 8200 5

struct Place {
  std::size_t port;
  IpPrefix prefix;
};

std::string at(const TableReader& table, std::string_view name) {
  return fmt::format("port \"{}\" at line {}", name, table.line());
}

/// What a device takes hold of: two kinds of device on one interface share it.
std::string resource(const std::string& device) {
  for (const std::string_view kind : {"af_packet:", "af_xdp:", "tap:"}) {
    if (device.starts_with(kind)) return "interface " + device.substr(kind.size());
  }
  return device;
}

void check_devices(Draft& draft) {
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < draft.ports.size(); ++i) {
    const std::string& device = draft.config.ports[i].device;
    if (device.empty() || device == "null") continue;
    const auto [entry, is_new] = first.emplace(resource(device), i);
    if (is_new) continue;
    const std::size_t other = entry->second;
    draft.ports[i].error("device",
                         "already in use by " + at(draft.ports[other], draft.config.ports[other].name));
  }
}

/// Why `prefix`, of `port`, cannot stand beside one seen before; empty if it can. Networks clash where the
/// way out would be a matter of chance. IPv6 link-local ones are on every port.
std::string clash(const Draft& draft, const Place& seen, std::size_t port, const IpPrefix& prefix) {
  const bool is_same = seen.prefix.address == prefix.address;
  if (seen.port == port) return is_same ? "already listed for this port" : "";
  if (prefix.address.is_link_local()) return "";
  const std::string where = at(draft.ports[seen.port], draft.config.ports[seen.port].name);
  if (is_same) return "already on " + where;
  return seen.prefix.network() == prefix.network() ? "its network is already on " + where : "";
}

void check_networks(Draft& draft) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < draft.ports.size(); ++i) {
    TableReader& table = draft.ports[i];
    for (const IpPrefix& prefix : draft.config.ports[i].addresses) {
      for (const Place& seen : places) {
        const std::string why = clash(draft, seen, i, prefix);
        if (!why.empty()) table.error_in("addresses", {prefix.to_string(), table.line("addresses")}, why);
      }
      places.push_back({i, prefix});
    }
  }
}

void check_mtu(Draft& draft) {
  for (std::size_t i = 0; i < draft.ports.size(); ++i) {
    const PortConfig& port = draft.config.ports[i];
    const bool has_ipv6 =
        std::ranges::any_of(port.addresses, [](const IpPrefix& prefix) { return !prefix.address.is_v4(); });
    if (has_ipv6 && port.mtu < kMinMtuIpv6) {
      draft.ports[i].error("mtu",
                           fmt::format("must be at least {} with an IPv6 address (RFC 8200 5)", kMinMtuIpv6));
    }
  }
}

bool is_on_wire(const Draft& draft, std::uint32_t port) {
  for (std::size_t i = 0; i < draft.wires.size(); ++i) {
    const WireConfig& wire = draft.config.wires[i];
    if (draft.wires[i].ok() && (wire.protected_port == port || wire.unprotected_port == port)) return true;
  }
  return false;
}

bool is_connected(const PortConfig& port, const IpAddress& address) {
  return std::ranges::any_of(port.addresses, [&](const IpPrefix& p) { return p.contains(address); });
}

void check_wire_end(Draft& draft, TableReader& wire, std::string_view key, std::uint32_t index, Role role) {
  const PortConfig& port = draft.config.ports[index];
  TableReader& table = draft.ports[index];
  if (table.has("role") && port.role != role)
    wire.error(key, fmt::format("must be a port of role \"{}\"", key));
  for (const char* const unwanted : {"addresses", "neighbours"}) {
    if (table.has(unwanted))
      table.error(unwanted,
                  fmt::format("must be left out for the port of a [[wire]] (line {})", wire.line()));
  }
}

void check_route(Draft& draft, TableReader& table, const RouteConfig& route) {
  const PortConfig& port = draft.config.ports[route.port];
  if (route.to.address.is_multicast()) table.error("to", "must be a unicast prefix");
  if (is_on_wire(draft, route.port)) {
    table.error("port", "must be a port with addresses; this one is part of a [[wire]]");
    return;
  }
  if (!route.via || !draft.ports[route.port].ok()) return;
  if (route.via->family != route.to.address.family) {
    table.error("via", fmt::format("must be of the same family as to \"{}\"", route.to.to_string()));
  } else if (route.via->is_multicast() || route.via->is_unspecified()) {
    table.error("via", "must be the unicast address of a router");
  } else if (is_own(draft.config, *route.via)) {
    table.error("via", "must be another host's address; this is the gateway's own");
  } else if (!is_connected(port, *route.via) && (route.via->is_v4() || !route.via->is_link_local())) {
    table.error("via", fmt::format("must be on a network of port \"{}\": none of its addresses covers it",
                                   port.name));
  }
}

}  // namespace

bool is_own(const Config& config, const IpAddress& address) {
  for (const PortConfig& port : config.ports) {
    for (const IpPrefix& own : port.addresses) {
      if (own.address == address) return true;
    }
  }
  return false;
}

bool all_ok(const std::vector<TableReader>& tables) {
  return std::ranges::all_of(tables, [](const TableReader& table) { return table.ok(); });
}

void check_ports(Draft& draft) {
  check_names(draft.ports, draft.config.ports, draft.port_names);
  check_devices(draft);
  check_networks(draft);
  check_mtu(draft);
  if (draft.ports.size() > kMaxPorts) {
    draft.ports[kMaxPorts].error("", fmt::format("must be at most {} ports", kMaxPorts));
  }
}

void check_wires(Draft& draft) {
  std::map<std::uint32_t, unsigned> line_of;
  for (std::size_t i = 0; i < draft.wires.size(); ++i) {
    TableReader& table = draft.wires[i];
    if (!table.ok()) continue;
    const WireConfig wire = draft.config.wires[i];
    if (wire.protected_port == wire.unprotected_port) {
      table.error("unprotected", "must be another port than protected");
      continue;
    }
    for (const auto& [key, port] :
         {std::pair{"protected", wire.protected_port}, {"unprotected", wire.unprotected_port}}) {
      const auto [entry, is_new] = line_of.emplace(port, table.line());
      if (!is_new) table.error(key, fmt::format("already part of the [[wire]] at line {}", entry->second));
    }
    check_wire_end(draft, table, "protected", wire.protected_port, Role::kProtected);
    check_wire_end(draft, table, "unprotected", wire.unprotected_port, Role::kUnprotected);
  }
}

void check_routes(Draft& draft) {
  std::map<IpPrefix, unsigned> line_of;
  for (std::size_t i = 0; i < draft.routes.size(); ++i) {
    TableReader& table = draft.routes[i];
    if (!table.ok()) continue;
    const RouteConfig& route = draft.config.routes[i];
    const auto [entry, is_new] = line_of.emplace(route.to, table.line());
    if (!is_new) table.error("to", fmt::format("already routed at line {}", entry->second));
    check_route(draft, table, route);
  }
}

}  // namespace gate96
