# SPDX-License-Identifier: BSD-3-Clause
"""Writes seeds for fuzz-packet into a folder: packets of each kind that the gateway knows.

usage: packet_seeds.py FOLDER. Operations as in packet_fuzz.cpp; checksums and ICVs are made right there.
"""
import hashlib
import hmac
import ipaddress
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges"))

from frames import ether, ipv4, mac_bytes  # noqa: E402

LAN, WAN, ROUTER, LINK = range(4)
MEND, NUMBER, END_BURST, TICK, TO_1459, TO_1500, TO_9000 = 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xc0
IPV6, ARP, VLAN, QINQ = 0x86dd, 0x0806, 0x8100, 0x88a8
HOST, FAR, FAR_UDP, FAR_ESN, GATE, PEER = "10.1.0.2", "10.2.0.2", "10.3.0.2", "10.3.0.2", "192.0.2.1", "192.0.2.2"
HOST6, FAR6, GATE6, PEER6 = "2001:db8:1::2", "2001:db8:2::2", "2001:db8:96::1", "2001:db8:96::2"
KEY = bytes(range(20))
PAYLOAD = bytes(range(60))


def record(operation, frame):
    return struct.pack("!BH", operation, len(frame)) + frame


def ipv6(src, dst, next_header, payload, hop_limit=64):
    return struct.pack("!IHBB", 6 << 28, len(payload), next_header, hop_limit) + ipaddress.IPv6Address(
        src).packed + ipaddress.IPv6Address(dst).packed + payload


def ports(src, dst):
    return struct.pack("!HHHH", src, dst, 8 + len(PAYLOAD), 0) + PAYLOAD


def esp(spi, inside, next_header):
    pad = bytes(range(1, (-(len(inside) + 2)) % 4 + 1))
    packet = struct.pack("!II", spi, 1) + inside + pad + bytes([len(pad), next_header])
    return packet + hmac.new(KEY, packet, hashlib.sha1).digest()[:12]


def in_udp(packet):
    return struct.pack("!HHHH", 4500, 4500, 8 + len(packet), 0) + packet


def echo(kind):
    return struct.pack("!BBHI", kind, 0, 0, 7) + PAYLOAD


def arp(operation, ip):
    return struct.pack("!HHBBH", 1, 0x0800, 6, 4, operation) + mac_bytes("02:00:00:00:00:22") + ipaddress.IPv4Address(
        ip).packed + bytes(6) + ipaddress.IPv4Address(GATE if ip == PEER else "10.1.0.1").packed


def neighbour(kind, src, dst, target):
    option = bytes([1 if kind == 135 else 2, 1]) + mac_bytes("02:00:00:00:00:22")
    message = struct.pack("!BBHI", kind, 0, 0, 0x60000000) + ipaddress.IPv6Address(target).packed + option
    return ether(ipv6(src, dst, 58, message, 255), ethertype=IPV6)


def extensions(*kinds):
    """Headers of 8 bytes each before the one that follows."""
    return b"".join(bytes([following, 0]) + bytes(6) for following in kinds)


def fragments(packet, cut):
    """An IPv4 packet without options in two."""
    first = packet[:6] + b"\x20\x00" + packet[8:20 + cut]
    second = packet[:6] + struct.pack("!H", cut // 8) + packet[8:20] + packet[20 + cut:]
    return [part[:2] + struct.pack("!H", len(part)) + part[4:] for part in (first, second)]


def fragments6(src, dst, protocol, payload, cut):
    return [ipv6(src, dst, 44, bytes([protocol, 0]) + struct.pack("!HI", field, 9) + part)
            for field, part in ((1, payload[:cut]), (cut, payload[cut:]))]


def tunnelled(spi, inner, next_header=4, **how):
    return ether(ipv4(PEER, GATE, 50, esp(spi, inner, next_header), **how))


def outbound():
    to_far = ipv4(HOST, FAR, 17, ports(4000, 5000))
    to_far6 = ipv6(HOST6, FAR6, 17, ports(4000, 5000))
    for name, packet in (("out", to_far), ("out-udp", ipv4(HOST, FAR_UDP, 17, ports(4000, 5000)))):
        for size, operation in (("", 0), ("-1459", TO_1459), ("-1500", TO_1500), ("-9000", TO_9000)):
            yield name + size, [(LAN | MEND | operation, ether(packet)), (LAN | MEND | TICK, ether(packet))]
    yield "out-df", [(LAN | MEND | TO_1500, ether(ipv4(HOST, FAR, 17, ports(4000, 5000), fragment=0x4000)))]
    yield "out-ipv6", [(LAN | MEND | operation, ether(to_far6, ethertype=IPV6)) for operation in (0, TO_1459, TO_1500)]
    yield "out-ttl", [(LAN | MEND, ether(ipv4(HOST, FAR, 17, ports(1, 2), ttl=1)))]
    yield "out-tags", [(LAN | MEND, ether(struct.pack("!HH", 5, 0x0800) + to_far, ethertype=VLAN)),
                       (LAN | MEND, ether(struct.pack("!HHHH", 5, VLAN, 6, 0x0800) + to_far, ethertype=QINQ))]
    yield "out-fragment", [(LAN | MEND, ether(part)) for part in fragments(to_far, 32)]
    yield "out-transport", [(LAN | MEND, ether(ipv4(GATE, PEER, 1, echo(8)))),
                            *((LAN | MEND, ether(part)) for part in fragments(ipv4(GATE, PEER, 1, echo(8)), 32))]
    yield "out-extensions", [(LAN | MEND, ether(ipv6(HOST6, FAR6, 0, extensions(43, 60, 17) + ports(1, 2)),
                                                ethertype=IPV6))]
    yield "clear", [(LAN | MEND, ether(ipv4(HOST, "203.0.113.9", 17, ports(1, 2)))),
                    (LAN | MEND, ether(ipv4(HOST, "192.0.2.77", 17, ports(1, 2)))),
                    (LAN | MEND, ether(ipv4("172.16.0.1", "172.16.0.2", 17, ports(1, 2))))]
    yield "echo-lan", [(LAN | MEND, ether(ipv4(HOST, "10.1.0.1", 1, echo(8)))),
                       (LAN | MEND, ether(ipv6(HOST6, "2001:db8:1::1", 58, echo(128)), ethertype=IPV6))]


def inbound():
    inner = ipv4(FAR, HOST, 17, ports(4000, 5000))
    inner6 = ipv6(FAR6, HOST6, 17, ports(4000, 5000))
    sealed = WAN | MEND | NUMBER
    yield "in", [(sealed, tunnelled(0x1002, inner))] * 3
    yield "in-6in4", [(sealed, tunnelled(0x1002, inner6, 41))]
    yield "in-dummy", [(sealed, tunnelled(0x1002, PAYLOAD, 59))]
    yield "in-ce", [(sealed, tunnelled(0x1002, inner, tos=3))]
    yield "in-transport", [(sealed, tunnelled(0x1003, ports(4000, 500), 17))]
    yield "in-ipv6", [(sealed, ether(ipv6(PEER6, GATE6, 50, esp(0x1004, inner6, 41)), ethertype=IPV6))] * 2
    yield "in-replay", [(WAN | MEND, tunnelled(0x1005, inner))] * 2
    yield "in-esn", [(sealed, tunnelled(0x1005, ipv4(FAR_ESN, HOST, 17, ports(1, 2))))] * 2
    tcp = struct.pack("!HHIIHHHH", 4000, 80, 1, 0, 0x5010, 1000, 0, 0) + PAYLOAD
    for name, inside, protocol in (("tcp", tcp, 6), ("udp", ports(4000, 5000), 17)):
        yield f"in-udp-{name}", [(sealed, ether(ipv4(PEER, GATE, 17, in_udp(esp(0x1006, inside, protocol)))))]
    yield "in-udp-others", [(WAN | MEND, ether(ipv4(PEER, GATE, 17, in_udp(other)))) for other in (b"\xff", bytes(40))]
    yield "in-selector", [(sealed, tunnelled(0x1002, ipv4("10.9.0.1", HOST, 17, ports(1, 2))))]
    yield "in-fragments", [(WAN | MEND, ether(part)) for part in fragments(tunnelled(0x1002, inner)[14:], 40)]
    yield "in-fragments-ipv6", [(WAN | MEND, ether(part, ethertype=IPV6))
                                for part in fragments6(PEER6, GATE6, 50, esp(0x1004, inner6, 41), 40)]
    yield "in-bad", [(WAN, tunnelled(0x1002, inner)), (sealed, tunnelled(0x99, inner)), (sealed, tunnelled(0x9999, inner))]
    yield "in-clear", [(WAN | MEND, ether(inner)), (WAN | MEND, ether(ipv4(PEER, GATE, 1, echo(8))))]
    quoted = struct.pack("!BBHI", 3, 4, 0, 600) + ipv4(GATE, PEER, 50, esp(0x1001, PAYLOAD, 4))
    quoted6 = struct.pack("!BBHI", 2, 0, 0, 1280) + ipv6(GATE6, PEER6, 50, esp(0x1008, PAYLOAD, 41))
    out = (LAN | MEND, ether(ipv4(HOST, FAR, 17, ports(1, 2))))
    yield "in-icmp", [(WAN | MEND, ether(arp(2, PEER), ethertype=ARP)), out,
                      (WAN | MEND, ether(ipv4("192.0.2.9", GATE, 1, quoted))), (LAN | MEND | TO_1459, out[1])]
    yield "in-icmp6", [(LAN | MEND, ether(ipv6(HOST6, FAR6, 17, ports(1, 2)), ethertype=IPV6)),
                       (WAN | MEND, ether(ipv6(PEER6, GATE6, 58, quoted6), ethertype=IPV6))]


def link():
    yield "arp", [(LAN, ether(arp(1, HOST), ethertype=ARP)), (WAN | TICK, ether(arp(2, PEER), ethertype=ARP))]
    yield "nd", [(WAN | MEND, neighbour(136, PEER6, GATE6, PEER6)),
                 (LAN | MEND | TICK, neighbour(135, HOST6, "ff02::1:ff00:1", "2001:db8:1::1"))]
    hello = b"\x03\x01" + bytes(34)
    ospf = ipv6("fe80::a", "ff02::5", 89, hello, 1)
    yield "wire-out", [(ROUTER | MEND, ether(ospf, ethertype=IPV6)), (ROUTER | MEND, ether(ipv4(HOST, FAR, 17, ports(1, 2))))]
    yield "wire-in", [(LINK | MEND | NUMBER, ether(ipv6("fe80::b", "ff02::5", 50, esp(0x100, hello, 89), 1), ethertype=IPV6)),
                      (LINK | MEND, ether(ospf, ethertype=IPV6)), (LINK | MEND, ether(arp(1, PEER), ethertype=ARP))]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for seeds in (outbound(), inbound(), link()):
        for name, records in seeds:
            (folder / name).write_bytes(b"".join(record(operation, frame) for operation, frame in records))


main()
