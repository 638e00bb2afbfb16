# SPDX-License-Identifier: BSD-3-Clause
"""The bump in the wire: OSPFv3 under RFC 4552 (one SA both ways, link-local multicast, hop limit 1), frames otherwise
untouched. Scapy seals and opens."""
import secrets
import sys

from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import ICMPv6ND_NS, IPv6
from scapy.layers.ipsec import ESP, SecurityAssociation
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Raw

from explain import Explained
from gateway_config import wire_text
from tap import Tap

KEY, SPI = secrets.token_bytes(20), 4552
ROUTER_A, ROUTER_B, ALL_ROUTERS = "fe80::a", "fe80::b", "ff02::5"
MAC_A, MAC_B, GROUP_MAC = "02:00:00:00:00:0a", "02:00:00:00:00:0b", "33:33:00:00:00:05"
OSPF = 89

CONFIG = wire_text("bump", "router", "link") + f"""
[[sa]]
name = "ospf"
direction = "both"
spi = {SPI}
mode = "transport"
dst = "{ALL_ROUTERS}"
key = "{KEY.hex()}"
replay_window = 0

[[policy]]
direction = "out"
priority = 10
dst = "{ALL_ROUTERS}"
protocol = "ospf"
action = "protect"
sa = "ospf"

[[policy]]
direction = "in"
priority = 10
dst = "{ALL_ROUTERS}"
protocol = "ospf"
action = "protect"
sa = "ospf"

[[policy]]
direction = "out"
priority = 20
protocol = "udp"
action = "bypass"

[[policy]]
direction = "in"
priority = 20
protocol = "udp"
action = "bypass"
"""


def sa():
    return SecurityAssociation(ESP, spi=SPI, crypt_algo="NULL", crypt_key=b"", auth_algo="HMAC-SHA1-96", auth_key=KEY)


def hello(src, length=36):
    return IPv6(src=src, dst=ALL_ROUTERS, hlim=1, nh=OSPF) / Raw(bytes(index & 255 for index in range(length)))


def link_frame(ip, mac, tags=()):
    head = Ether(src=mac, dst=GROUP_MAC)
    for tag in tags:
        head = head / Dot1Q(vlan=tag)
    return bytes(head / ip)


def judge_out(tap, gate96):
    for tags in ((), (5,), (5, 6)):
        sent = [link_frame(hello(ROUTER_A, length), MAC_A, tags) for length in (36, 37, 38, 39, 600)]
        run = Explained(gate96, CONFIG, "router", sent)
        tap.equal(f"hellos of A, VLAN {tags}", run.verdicts(), ["forwarded"] * len(sent))
        head_len = 14 + 4 * len(tags)
        tap.equal(f"MAC addresses and tags stay, VLAN {tags}", [out[:head_len] for out in run.sent["link"]],
                  [frame[:head_len] for frame in sent])
        opener = sa()
        opened = [bytes(opener.decrypt(IPv6(out[head_len:]))) for out in run.sent["link"]]
        tap.equal(f"Scapy opens them, hop limit still 1, VLAN {tags}", opened, [frame[head_len:] for frame in sent])


def judge_in(tap, gate96):
    sealed = [sa().encrypt(hello(ROUTER_B, length)) for length in (36, 37, 600)]
    bad = bytearray(link_frame(sealed[0], MAC_B))
    bad[-1] ^= 1
    frames = [link_frame(ip, MAC_B) for ip in sealed]
    run = Explained(gate96, CONFIG, "link", [frames[0], frames[0], bytes(bad), *frames[1:],
                                             link_frame(hello(ROUTER_B), MAC_B)])
    tap.equal("hellos of B: twice is fine without replay check, a bad ICV and one in clear are not", run.verdicts(),
              ["forwarded"] * 2 + ["icv_bad"] + ["forwarded"] * 2 + ["clear_on_protect"])
    tap.equal("the router gets what B sent", run.sent["router"],
              [link_frame(hello(ROUTER_B, length), MAC_B) for length in (36, 36, 37, 600)])


def judge_others(tap, gate96):
    arp = bytes(Ether(src=MAC_A, dst="ff:ff:ff:ff:ff:ff") / ARP(psrc="10.0.0.1", pdst="10.0.0.2"))
    solicitation = bytes(Ether(src=MAC_A, dst="33:33:ff:00:00:0b") / IPv6(src=ROUTER_A, dst="ff02::1:ff00:b", hlim=255)
                         / ICMPv6ND_NS(tgt=ROUTER_B))
    udp = bytes(Ether(src=MAC_A, dst=MAC_B) / IP(src="10.0.0.1", dst="10.0.0.2", ttl=1) / UDP() / Raw(b"x" * 30))
    tcp = bytes(Ether(src=MAC_A, dst=MAC_B) / IP(src="10.0.0.1", dst="10.0.0.2", proto=6) / Raw(b"x" * 30))
    lldp = bytes(Ether(src=MAC_A, dst="01:80:c2:00:00:0e", type=0x88cc) / Raw(b"x" * 50))
    for port, peer in (("router", "link"), ("link", "router")):
        run = Explained(gate96, CONFIG, port, [arp, solicitation, udp, tcp, lldp])
        tap.equal(f"from {port}: ARP, ND, bypassed UDP with TTL 1, TCP without policy, LLDP", run.verdicts(),
                  ["forwarded"] * 3 + ["no_policy", "not_ip"])
        tap.equal(f"from {port}: not a bit is changed", run.sent[peer], [arp, solicitation, udp])


def main():
    tap, gate96 = Tap(), sys.argv[1]
    judge_out(tap, gate96)
    judge_in(tap, gate96)
    judge_others(tap, gate96)
    return tap.finish()


sys.exit(main())
