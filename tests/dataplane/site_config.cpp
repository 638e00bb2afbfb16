// SPDX-License-Identifier: BSD-3-Clause
#include "tests/dataplane/site.h"

namespace gate96 {

const std::string_view kSiteConfig = R"(
[[port]]
name = "lan"
device = "null"
role = "protected"
addresses = ["10.1.0.1/24", "2001:db8:1::1/64"]
mtu = 9000
[[port]]
name = "wan"
device = "null"
role = "unprotected"
addresses = ["192.0.2.1/24", "2001:db8:96::1/64"]
[[port]]
name = "router"
device = "null"
role = "protected"
[[port]]
name = "link"
device = "null"
role = "unprotected"
[[wire]]
protected = "router"
unprotected = "link"
[[route]]
to = "10.2.0.0/15"
via = "192.0.2.2"
port = "wan"
[[route]]
to = "2001:db8:2::/48"
via = "2001:db8:96::2"
port = "wan"

[[sa]]
name = "out"
direction = "out"
spi = 0x1001
mode = "tunnel"
src = "192.0.2.1"
dst = "192.0.2.2"
key = "000102030405060708090a0b0c0d0e0f10111213"
[[sa]]
name = "in"
direction = "in"
spi = 0x1002
mode = "tunnel"
src = "192.0.2.2"
dst = "192.0.2.1"
key = "000102030405060708090a0b0c0d0e0f10111213"
replay_window = 0
[[sa]]
name = "in-transport"
direction = "in"
spi = 0x1003
mode = "transport"
src = "192.0.2.2"
dst = "192.0.2.1"
key = "000102030405060708090a0b0c0d0e0f10111213"
replay_window = 0
[[sa]]
name = "in-ipv6"
direction = "in"
spi = 0x1004
mode = "tunnel"
src = "2001:db8:96::2"
dst = "2001:db8:96::1"
key = "000102030405060708090a0b0c0d0e0f10111213"
replay_window = 0
[[sa]]
name = "in-esn"
direction = "in"
spi = 0x1005
mode = "tunnel"
src = "192.0.2.2"
dst = "192.0.2.1"
key = "000102030405060708090a0b0c0d0e0f10111213"
replay_window = 128
esn = true
[[sa]]
name = "in-udp"
direction = "in"
spi = 0x1006
mode = "transport"
src = "192.0.2.2"
dst = "192.0.2.1"
key = "000102030405060708090a0b0c0d0e0f10111213"
replay_window = 0
udp_encap = true
[[sa]]
name = "out-udp"
direction = "out"
spi = 0x1007
mode = "tunnel"
src = "192.0.2.1"
dst = "192.0.2.2"
key = "000102030405060708090a0b0c0d0e0f10111213"
udp_encap = { src_port = 4500, dst_port = 4500, keepalive_seconds = 1 }
tfc = 200
[[sa]]
name = "out-ipv6"
direction = "out"
spi = 0x1008
mode = "tunnel"
src = "2001:db8:96::1"
dst = "2001:db8:96::2"
key = "000102030405060708090a0b0c0d0e0f10111213"
esn = true
[[sa]]
name = "out-transport"
direction = "out"
spi = 0x1009
mode = "transport"
src = "192.0.2.1"
dst = "192.0.2.2"
key = "000102030405060708090a0b0c0d0e0f10111213"
[[sa]]
name = "ospf"
direction = "both"
spi = 0x100
mode = "transport"
dst = "ff02::5"
key = "000102030405060708090a0b0c0d0e0f10111213"

[[policy]]
direction = "out"
priority = 1
dst = "ff02::5"
protocol = "ospf"
action = "protect"
sa = "ospf"
[[policy]]
direction = "in"
priority = 1
dst = "ff02::5"
protocol = "ospf"
action = "protect"
sa = "ospf"
[[policy]]
direction = "out"
priority = 10
dst = "10.2.0.0/16"
action = "protect"
sa = "out"
[[policy]]
direction = "out"
priority = 10
dst = "10.3.0.0/16"
action = "protect"
sa = "out-udp"
[[policy]]
direction = "out"
priority = 10
dst = "2001:db8:2::/48"
action = "protect"
sa = "out-ipv6"
[[policy]]
direction = "out"
priority = 11
src = "192.0.2.1"
dst = "192.0.2.2"
protocol = "icmp"
action = "protect"
sa = "out-transport"
[[policy]]
direction = "in"
priority = 10
src = "10.2.0.0/16"
action = "protect"
sa = "in"
[[policy]]
direction = "in"
priority = 10
src = "10.3.0.0/16"
action = "protect"
sa = "in-esn"
[[policy]]
direction = "in"
priority = 10
src = "2001:db8:2::/48"
action = "protect"
sa = "in-ipv6"
[[policy]]
direction = "in"
priority = 11
src = "192.0.2.2"
dst = "192.0.2.1"
protocol = "udp"
dst_ports = "1-4499"
action = "protect"
sa = "in-transport"
[[policy]]
direction = "in"
priority = 12
src = "192.0.2.2"
dst = "192.0.2.1"
protocol = "tcp"
action = "protect"
sa = "in-udp"
[[policy]]
direction = "in"
priority = 13
src = "192.0.2.2"
dst = "192.0.2.1"
protocol = "udp"
dst_ports = "4501-65535"
action = "protect"
sa = "in-udp"
[[policy]]
direction = "out"
priority = 80
protocol = 89
action = "discard"
[[policy]]
direction = "out"
priority = 90
src = "10.1.0.0/16"
action = "bypass"
[[policy]]
direction = "out"
priority = 90
src = "192.0.2.0/24"
action = "bypass"
[[policy]]
direction = "out"
priority = 90
src = "2001:db8::/32"
action = "bypass"
[[policy]]
direction = "in"
priority = 90
action = "bypass"
)";

}  // namespace gate96
