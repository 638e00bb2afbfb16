// SPDX-License-Identifier: BSD-3-Clause
// Ports, wires and routes.
#include "tests/dataplane/config/edit.h"

namespace gate96::test {
namespace {

using WrongNetwork = WrongConfig;

TEST_P(WrongNetwork, says) {
  check(GetParam());
}

constexpr std::string_view kWire =
    "[[port]]\nname = \"p\"\ndevice = \"null\"\nrole = \"protected\"\n"
    "[[port]]\nname = \"u\"\ndevice = \"null\"\nrole = \"unprotected\"\n";

const std::string kWireBoth =
    std::string(kWire) + "[[wire]]\nprotected = \"p\"\nunprotected = \"p\"\n[[route]]";
const std::string kWireTwice = std::string(kWire) +
                               "[[wire]]\nprotected = \"p\"\nunprotected = \"u\"\n"
                               "[[wire]]\nprotected = \"p\"\nunprotected = \"wan\"\n[[route]]";
const std::string kWireRoles =
    std::string(kWire) + "[[wire]]\nprotected = \"u\"\nunprotected = \"p\"\n[[route]]";
const std::string kWireRouted = "[[wire]]\nprotected = \"lan\"\nunprotected = \"wan\"\n[[route]]";
const std::string kWireRoute = std::string(kWire) +
                               "[[wire]]\nprotected = \"p\"\nunprotected = \"u\"\n"
                               "[[route]]\nto = \"10.9.0.0/24\"\nport = \"u\"\n[[route]]";

const Edit kEdits[] = {
    {"name_missing",
     "name = \"lan\"\n",
     "",
     {"gw.toml:4: port.name: missing; must be a name, unique among the ports"}},
    {"name_twice",
     "name = \"wan\"",
     "name = \"lan\"",
     {"gw.toml:10: port.name = \"lan\": already in use at line 5",
      "gw.toml:18: route.port = \"wan\": no [[port]] has this name; did you mean \"lan\"?"}},
    {"name_empty", "name = \"lan\"", "name = \"\"", {"gw.toml:5: port.name = \"\": must not be empty"}},
    {"device_missing",
     "device = \"af_packet:lan0\"\n",
     "",
     {"gw.toml:4: port.device: missing; must be a device such as \"af_packet:eth1\""}},
    {"device_twice",
     "af_packet:wan0",
     "af_xdp:lan0",
     {"gw.toml:11: port.device = \"af_xdp:lan0\": already in use by port \"lan\" at line 4"}},
    {"role",
     "\"protected\"",
     "\"inside\"",
     {"gw.toml:7: port.role = \"inside\": must be \"protected\" or \"unprotected\""}},
    {"address_no_length",
     "\"10.1.0.1/24\"",
     "\"10.1.0.1\"",
     {"gw.toml:8: port.addresses = \"10.1.0.1\": must be ADDRESS/LENGTH, such as \"10.1.0.1/24\" or "
      "\"2001:db8::1/64\""}},
    {"address_length",
     "\"10.1.0.1/24\"",
     "\"10.1.0.1/33\"",
     {"gw.toml:8: port.addresses = \"10.1.0.1/33\": must be ADDRESS/LENGTH, such as \"10.1.0.1/24\" or "
      "\"2001:db8::1/64\""}},
    {"address_network",
     "\"10.1.0.1/24\"",
     "\"10.1.0.0/24\"",
     {"gw.toml:8: port.addresses = \"10.1.0.0/24\": must be a host's address; this is the network's own"}},
    {"address_broadcast",
     "\"10.1.0.1/24\"",
     "\"10.1.0.255/24\"",
     {"gw.toml:8: port.addresses = \"10.1.0.255/24\": must be a host's address; this is the network's "
      "broadcast"}},
    {"address_multicast",
     "\"10.1.0.1/24\"",
     "\n  \"224.0.0.5/32\"",
     {"gw.toml:9: port.addresses = \"224.0.0.5/32\": must be a unicast address; this is multicast"}},
    {"address_loopback",
     "\"10.1.0.1/24\"",
     "\"127.0.0.1/8\"",
     {"gw.toml:8: port.addresses = \"127.0.0.1/8\": must be an address others can reach; this is loopback"}},
    {"address_twice",
     "\"10.1.0.1/24\"",
     "\"192.0.2.1/25\"",
     {"gw.toml:13: port.addresses = \"192.0.2.1/24\": already on port \"lan\" at line 4"}},
    {"network_twice",
     "\"10.1.0.1/24\"",
     "\"192.0.2.9/24\"",
     {"gw.toml:13: port.addresses = \"192.0.2.1/24\": its network is already on port \"lan\" at line 4"}},
    {"mtu_low",
     "role = \"protected\"",
     "role = \"protected\"\nmtu = 575",
     {"gw.toml:8: port.mtu = 575: must be 576..9600 (bytes of IP)"}},
    {"mtu_high",
     "role = \"protected\"",
     "role = \"protected\"\nmtu = 9601",
     {"gw.toml:8: port.mtu = 9601: must be 576..9600 (bytes of IP)"}},
    {"mtu_ipv6",
     "role = \"protected\"",
     "role = \"protected\"\nmtu = 1279",
     {"gw.toml:8: port.mtu = 1279: must be at least 1280 with an IPv6 address (RFC 8200 5)"}},
    {"neighbour_form",
     "[{ address = \"192.0.2.2\", mac = \"02:00:00:00:00:02\" }]",
     "[\"192.0.2.2\"]",
     {"gw.toml:14: port.neighbours = [\"192.0.2.2\"]: must be a list of tables { address, mac }"}},
    {"neighbour_mac",
     "02:00:00:00:00:02",
     "02-00-00-00-00-02",
     {"gw.toml:14: port.neighbours.mac = \"02-00-00-00-00-02\": must be a MAC address such as "
      "\"02:00:00:00:00:01\""}},
    {"neighbour_group",
     "02:00:00:00:00:02",
     "01:00:5e:00:00:05",
     {"gw.toml:14: port.neighbours.mac = \"01:00:5e:00:00:05\": must be the unicast MAC address of one "
      "host"}},
    {"neighbour_far",
     "address = \"192.0.2.2\"",
     "address = \"192.0.3.2\"",
     {"gw.toml:14: port.neighbours.address = \"192.0.3.2\": must be on a network of this port: none of its "
      "addresses covers it"}},
    {"neighbour_own",
     "address = \"192.0.2.2\"",
     "address = \"192.0.2.1\"",
     {"gw.toml:14: port.neighbours.address = \"192.0.2.1\": must be another host's address; this is the "
      "port's own"}},
    {"neighbour_key",
     "mac =",
     "macc =",
     {"gw.toml:14: port.neighbours.macc = \"02:00:00:00:00:02\": unknown key; did you mean \"mac\"?",
      "gw.toml:14: port.neighbours.mac: missing; must be a MAC address such as \"02:00:00:00:00:01\""}},
    {"wire_one_port",
     "[[route]]",
     kWireBoth,
     {"gw.toml:25: wire.unprotected = \"p\": must be another port than protected"}},
    {"wire_port_twice",
     "[[route]]",
     kWireTwice,
     {"gw.toml:13: port.addresses = [\"192.0.2.1/24\"]: must be left out for the port of a [[wire]] (line "
      "26)",
      "gw.toml:14: port.neighbours = [{...}]: must be left out for the port of a [[wire]] (line 26)",
      "gw.toml:27: wire.protected = \"p\": already part of the [[wire]] at line 23"}},
    {"wire_roles",
     "[[route]]",
     kWireRoles,
     {"gw.toml:24: wire.protected = \"u\": must be a port of role \"protected\"",
      "gw.toml:25: wire.unprotected = \"p\": must be a port of role \"unprotected\""}},
    {"wire_and_routed",
     "[[route]]",
     kWireRouted,
     {"gw.toml:8: port.addresses = [\"10.1.0.1/24\", \"2001:db8:1::1/64\"]: must be left out for the port of "
      "a [[wire]] (line 15)",
      "gw.toml:13: port.addresses = [\"192.0.2.1/24\"]: must be left out for the port of a [[wire]] (line "
      "15)",
      "gw.toml:14: port.neighbours = [{...}]: must be left out for the port of a [[wire]] (line 15)",
      "gw.toml:21: route.port = \"wan\": must be a port with addresses; this one is part of a [[wire]]"}},
    {"wire_and_route",
     "[[route]]",
     kWireRoute,
     {"gw.toml:28: route.port = \"u\": must be a port with addresses; this one is part of a [[wire]]"}},
    {"wire_dangling",
     "[[route]]",
     "[[wire]]\nprotected = \"lam\"\nunprotected = \"wan\"\n[[route]]",
     {"gw.toml:16: wire.protected = \"lam\": no [[port]] has this name; did you mean \"lan\"?"}},
    {"route_host_bits",
     "to = \"10.2.0.0/24\"",
     "to = \"10.2.0.1/24\"",
     {"gw.toml:16: route.to = \"10.2.0.1/24\": has bits beyond its length; \"10.2.0.0/24\" is its network"}},
    {"route_form",
     "to = \"10.2.0.0/24\"",
     "to = \"default\"",
     {"gw.toml:16: route.to = \"default\": must be a prefix such as \"10.2.0.0/24\" or \"::/0\""}},
    {"route_twice",
     "[[sa]]",
     "[[route]]\nto = \"10.2.0.0/24\"\nport = \"wan\"\n[[sa]]",
     {"gw.toml:20: route.to = \"10.2.0.0/24\": already routed at line 15"}},
    {"route_multicast",
     "to = \"10.2.0.0/24\"",
     "to = \"224.0.0.0/4\"",
     {"gw.toml:16: route.to = \"224.0.0.0/4\": must be a unicast prefix"}},
    {"route_port",
     "port = \"wan\"",
     "port = \"internet\"",
     {"gw.toml:18: route.port = \"internet\": no [[port]] has this name"}},
    {"route_no_port",
     "port = \"wan\"\n",
     "",
     {"gw.toml:15: route.port: missing; must be the name of a [[port]]"}},
    {"via_far",
     "via = \"192.0.2.2\"",
     "via = \"192.0.3.2\"",
     {"gw.toml:17: route.via = \"192.0.3.2\": must be on a network of port \"wan\": none of its addresses "
      "covers it"}},
    {"via_own",
     "via = \"192.0.2.2\"",
     "via = \"192.0.2.1\"",
     {"gw.toml:17: route.via = \"192.0.2.1\": must be another host's address; this is the gateway's own"}},
    {"via_family",
     "via = \"192.0.2.2\"",
     "via = \"2001:db8:1::2\"",
     {"gw.toml:17: route.via = \"2001:db8:1::2\": must be of the same family as to \"10.2.0.0/24\""}},
    {"via_multicast",
     "via = \"192.0.2.2\"",
     "via = \"224.0.0.1\"",
     {"gw.toml:17: route.via = \"224.0.0.1\": must be the unicast address of a router"}},
};

INSTANTIATE_TEST_SUITE_P(all, WrongNetwork, testing::ValuesIn(kEdits), edit_name);

}  // namespace
}  // namespace gate96::test
