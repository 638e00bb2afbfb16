// SPDX-License-Identifier: BSD-3-Clause
// The sections [[port]], [[wire]] and [[route]], each table alone.
#include <fmt/format.h>

#include "dataplane/config_draft.h"

namespace gate96 {
namespace {

constexpr unsigned kMinMtu = 576;  // RFC 791 3.1: what every host accepts
constexpr unsigned kMaxMtu = 9600;
constexpr char kInterfaceAddress[] = "a list of addresses with their prefix length, such as \"10.1.0.1/24\"";

/// Why `prefix` cannot be an interface's address; empty if it can.
std::string_view unfit(const IpPrefix& prefix) {
  if (prefix.address.is_multicast()) return "must be a unicast address; this is multicast";
  if (prefix.address.is_unspecified()) return "must be an address, not the unspecified one";
  if (!prefix.address.is_v4() || prefix.len >= 31) return {};
  if (prefix.address == prefix.network().address)
    return "must be a host's address; this is the network's own";
  IpAddress next = prefix.address;  // the broadcast address is the only one whose host bits are all ones
  for (unsigned bit = prefix.len; bit < 32; ++bit)
    next.bytes[bit / 8] |= static_cast<std::uint8_t>(0x80 >> bit % 8);
  return next == prefix.address ? "must be a host's address; this is the network's broadcast" : "";
}

void read_addresses(TableReader& table, PortConfig& port) {
  for (const std::string& text : table.texts("addresses", kInterfaceAddress)) {
    const auto prefix = IpPrefix::parse(text);
    if (!prefix || text.find('/') == text.npos) {
      table.error_at("addresses", quoted(text),
                     "must be ADDRESS/LENGTH, such as \"10.1.0.1/24\" or \"2001:db8::1/64\"");
    } else if (const auto why = unfit(*prefix); !why.empty()) {
      table.error_at("addresses", quoted(text), std::string(why));
    } else {
      port.addresses.push_back(*prefix);
    }
  }
}

void read_neighbour(TableReader& table, NeighbourConfig& neighbour) {
  table.parsed("address", Need::kRequired, neighbour.address, "an IP address");
  if (table.parsed("mac", Need::kRequired, neighbour.mac, "a MAC address such as \"02:00:00:00:00:01\"") &&
      ((neighbour.mac.bytes[0] & 1) != 0 || neighbour.mac == MacAddress{})) {
    table.error("mac", "must be the unicast MAC address of one host");
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
  for (TableReader& entry : table.tables("neighbours")) {
    NeighbourConfig neighbour;
    read_neighbour(entry, neighbour);
    if (!entry.ok()) continue;
    port.neighbours.push_back(neighbour);
  }
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
