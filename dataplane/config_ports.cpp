// SPDX-License-Identifier: BSD-3-Clause
// The sections [[port]], [[wire]] and [[route]], each table alone.
#include <fmt/format.h>

#include "dataplane/config_draft.h"

namespace gate96 {
namespace {

constexpr unsigned kMinMtu = 576;  // RFC 791 3.1: what every host accepts
constexpr unsigned kMaxMtu = 9600;

bool is_loopback(const IpAddress& address) {
  if (address.is_v4()) return address.bytes[0] == 127;
  return address == *IpAddress::parse("::1");
}

/// The IPv4 address of `prefix` whose host bits are all ones.
IpAddress broadcast(const IpPrefix& prefix) {
  IpAddress address = prefix.address;
  for (unsigned bit = prefix.len; bit < 32; ++bit) {
    address.bytes[bit / 8] |= static_cast<std::uint8_t>(0x80 >> bit % 8);
  }
  return address;
}

/// Why `prefix` cannot be an interface's address; empty if it can.
std::string_view unfit(const IpPrefix& prefix) {
  if (prefix.address.is_multicast()) return "must be a unicast address; this is multicast";
  if (prefix.address.is_unspecified()) return "must be an address, not the unspecified one";
  if (is_loopback(prefix.address)) return "must be an address others can reach; this is loopback";
  if (!prefix.address.is_v4() || prefix.len >= 31) return {};  // RFC 3021: both of a /31 are hosts
  if (prefix == prefix.network()) return "must be a host's address; this is the network's own";
  return prefix.address == broadcast(prefix) ? "must be a host's address; this is the network's broadcast"
                                             : "";
}

void read_addresses(TableReader& table, PortConfig& port) {
  constexpr char kRight[] = "a list of addresses with their prefix length, such as [\"10.1.0.1/24\"]";
  for (const Text& element : table.texts("addresses", kRight)) {
    const auto prefix = IpPrefix::parse(element.text);
    if (!prefix || element.text.find('/') == element.text.npos) {
      table.error_in("addresses", element,
                     "must be ADDRESS/LENGTH, such as \"10.1.0.1/24\" or \"2001:db8::1/64\"");
    } else if (const auto why = unfit(*prefix); !why.empty()) {
      table.error_in("addresses", element, std::string(why));
    } else {
      port.addresses.push_back(*prefix);
    }
  }
}

void check_neighbour(TableReader& entry, const NeighbourConfig& neighbour, const PortConfig& port) {
  const auto is_same = [&](const NeighbourConfig& other) { return other.address == neighbour.address; };
  const auto is_here = [&](const IpPrefix& p) { return p.contains(neighbour.address); };
  const auto is_ours = [&](const IpPrefix& p) { return p.address == neighbour.address; };
  if ((neighbour.mac.bytes[0] & 1) != 0 || neighbour.mac == MacAddress{}) {
    entry.error("mac", "must be the unicast MAC address of one host");
  }
  if (std::ranges::any_of(port.neighbours, is_same)) entry.error("address", "already listed for this port");
  if (std::ranges::any_of(port.addresses, is_ours)) {
    entry.error("address", "must be another host's address; this is the port's own");
  } else if (std::ranges::none_of(port.addresses, is_here)) {
    entry.error("address", "must be on a network of this port: none of its addresses covers it");
  }
}

void read_neighbours(TableReader& table, PortConfig& port) {
  for (TableReader& entry : table.tables("neighbours")) {
    NeighbourConfig neighbour;
    entry.parsed("address", Need::kRequired, neighbour.address, "an IP address");
    entry.parsed("mac", Need::kRequired, neighbour.mac, "a MAC address such as \"02:00:00:00:00:01\"");
    if (!entry.ok()) continue;
    check_neighbour(entry, neighbour, port);
    port.neighbours.push_back(neighbour);
  }
}

}  // namespace

void read_port(TableReader& table, PortConfig& port) {
  table.text("name", Need::kRequired, port.name, "a name, unique among the ports");
  if (table.text("device", Need::kRequired, port.device, "a device such as \"af_packet:eth1\"")) {
    check_device(table, port.device);
  }
  table.choice<Role>("role", Need::kRequired, port.role,
                     {{"protected", Role::kProtected}, {"unprotected", Role::kUnprotected}});
  table.integer("mtu", Need::kOptional, port.mtu, kMinMtu, kMaxMtu, "bytes of IP");
  read_addresses(table, port);
  read_neighbours(table, port);
}

void read_wire(TableReader& table, const Draft& draft, WireConfig& wire) {
  table.reference("protected", Need::kRequired, wire.protected_port, draft.port_names, "port");
  table.reference("unprotected", Need::kRequired, wire.unprotected_port, draft.port_names, "port");
}

void read_route(TableReader& table, const Draft& draft, RouteConfig& route) {
  if (table.parsed("to", Need::kRequired, route.to, "a prefix such as \"10.2.0.0/24\" or \"::/0\"") &&
      route.to != route.to.network()) {
    table.error("to", fmt::format("has bits beyond its length; \"{}\" is its network",
                                  route.to.network().to_string()));
  }
  IpAddress via;
  if (table.parsed("via", Need::kOptional, via, "the IP address of a router on the port's network"))
    route.via = via;
  table.reference("port", Need::kRequired, route.port, draft.port_names, "port");
}

}  // namespace gate96
