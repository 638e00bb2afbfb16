# SPDX-License-Identifier: BSD-3-Clause
"""Transport mode for others' traffic on a wire: IPv4 with options and IPv6 with extension headers, both families in one
burst. Where ESP goes (RFC 4303 3.1.1) and every byte around it is built here, apart from the gateway."""
import ipaddress
import secrets
import struct
import sys

import esp
import frames
from explain import Explained
from gateway_config import wire_text
from tap import Tap

KEYS = {(family, way): secrets.token_bytes(20) for family in (4, 6) for way in ("out", "in")}
HOST = {4: "192.0.2.1", 6: "2001:db8:96::1"}
PEER = {4: "192.0.2.2", 6: "2001:db8:96::2"}
SPI = {4: 0x4004, 6: 0x6006}
HOP_BY_HOP, ROUTING, FRAGMENT, ESP, DESTINATION = 0, 43, 44, 50, 60
UDP, ETHERTYPE_IPV6, QINQ, VLAN = 17, 0x86dd, 0x88a8, 0x8100
OPTIONS = b"\x07\x07\x04" + bytes(5)  # record route

HEAD = wire_text("judged", "host", "link")


def sa(family, way):
    src, dst = (HOST, PEER) if way == "out" else (PEER, HOST)
    return esp.Sa(f"{way}-{family}", SPI[family], src[family], dst[family], KEYS[family, way])


def config():
    text = HEAD
    for family in (4, 6):
        for way in ("out", "in"):
            one = sa(family, way)
            text += (f'\n[[sa]]\nname = "{one.name}"\ndirection = "{way}"\nspi = {one.spi:#x}\nmode = "transport"\n'
                     f'src = "{one.src}"\ndst = "{one.dst}"\nkey = "{one.key.hex()}"\n'
                     f'\n[[policy]]\ndirection = "{way}"\nsrc = "{one.src}"\ndst = "{one.dst}"\naction = "protect"\n'
                     f'sa = "{one.name}"\n')
    return text


def ipv6(src, dst, first, rest):

    return struct.pack("!IHBB", 6 << 28, len(rest), first, 64) + ipaddress.IPv6Address(src).packed + ipaddress.IPv6Address(
        dst).packed + rest


def chain(kinds, last):
    """Extension headers of 8 bytes each; the first of them, or `last`, and their bytes."""
    following = [*kinds[1:], last]
    return (kinds[0] if kinds else last), b"".join(bytes([after, 0]) + bytes([1, 4, 0, 0, 0, 0]) for after in following[:len(kinds)])


def pair(family, way, seq, length, options=b"", kinds=()):
    """The packet as the host knows it, and as it is on the link."""
    one = sa(family, way)
    datagram = frames.udp(4000, 5000, bytes(index & 255 for index in range(length)))
    sealed = esp.esp(one, seq, datagram, UDP)
    if family == 4:
        return (frames.ipv4(one.src, one.dst, UDP, datagram, options=options),
                frames.ipv4(one.src, one.dst, ESP, sealed, options=options))
    (plain_first, plain), (sealed_first, around) = chain(kinds, UDP), chain(kinds, ESP)
    return (ipv6(one.src, one.dst, plain_first, plain + datagram), ipv6(one.src, one.dst, sealed_first, around + sealed))


def framed(packet, tags=b""):
    version = packet[0] >> 4
    ethertype = frames.ETHERTYPE_IPV4 if version == 4 else ETHERTYPE_IPV6
    return frames.mac_bytes("02:00:00:00:00:0a") + frames.mac_bytes("02:00:00:00:00:0b") + tags + struct.pack("!H", ethertype) + packet


def mixed(way):
    """[(plain, sealed)]: both families in turn, all lengths modulo 4, options and extension headers."""
    pairs, seq = [], {4: 0, 6: 0}
    shapes = [(4, {}), (6, {}), (4, {"options": OPTIONS}), (6, {"kinds": (HOP_BY_HOP,)}),
              (6, {"kinds": (HOP_BY_HOP, ROUTING)}), (4, {}), (6, {"kinds": (DESTINATION,)})]
    for length in (0, 1, 2, 3, 40, 1300):
        for family, shape in shapes:
            seq[family] += 1
            pairs.append(pair(family, way, seq[family], length, **shape))
    return pairs


def judge_mixed(tap, gate96):
    out, into = mixed("out"), mixed("in")
    for burst in (32, 1):
        run = Explained(gate96, config(), "host", [framed(plain) for plain, _ in out], burst)
        tap.equal(f"burst {burst}: IPv4 with options and IPv6 with extensions, mixed, out", run.sent["link"],
                  [framed(sealed) for _, sealed in out])
        run = Explained(gate96, config(), "link", [framed(sealed) for _, sealed in into], burst)
        tap.equal(f"burst {burst}: IPv4 with options and IPv6 with extensions, mixed, in", run.sent["host"],
                  [framed(plain) for plain, _ in into])


def judge_tags(tap, gate96):
    for name, tags in (("802.1Q", struct.pack("!HH", VLAN, 5)), ("QinQ", struct.pack("!HHHH", QINQ, 5, VLAN, 6))):
        for way, port, other in (("out", "host", "link"), ("in", "link", "host")):
            pairs = [pair(family, way, seq, 100) for seq in (1, 2) for family in (4, 6)]
            if way == "in":
                pairs = [(sealed, plain) for plain, sealed in pairs]
            run = Explained(gate96, config(), port, [framed(before, tags) for before, _ in pairs])
            tap.equal(f"{name}, {way}: the tags stay, ESP is where it belongs", run.sent[other],
                      [framed(after, tags) for _, after in pairs])


def judge_edges(tap, gate96):
    """24 bytes of ESP are a whole packet here, fragments are none (RFC 4303 3.3.4, 3.4.1)."""
    least = esp.esp(sa(4, "in"), 1, b"", UDP)
    run = Explained(gate96, config(), "link", [framed(frames.ipv4(PEER[4], HOST[4], ESP, least))])
    tap.equal("24 bytes with a right ICV pass in transport mode", (len(least), run.verdicts()), (24, ["forwarded"]))
    plain, _ = pair(4, "out", 1, 100)
    first, later = (frames.ipv4(HOST[4], PEER[4], UDP, plain[20:60], fragment=field) for field in (frames.MORE_FRAGMENTS, 5))
    header = struct.pack("!BBHI", UDP, 0, 1, 7)
    sixth = ipv6(HOST[6], PEER[6], FRAGMENT, header + plain[20:60])
    run = Explained(gate96, config(), "host", [framed(packet) for packet in (first, later, sixth)])
    tap.equal("fragments are discarded in transport mode", run.verdicts(), ["transport_fragment"] * 3)


def judge_jumbo(tap, gate96):
    jumbo = config().replace('role = "protected"', 'role = "protected"\nmtu = 9100').replace(
        'role = "unprotected"', 'role = "unprotected"\nmtu = 9100')
    for way, port, other in (("out", "host", "link"), ("in", "link", "host")):
        pairs = [pair(family, way, seq, 8900 + seq) for seq in range(1, 5) for family in (4, 6)]
        if way == "in":
            pairs = [(sealed, plain) for plain, sealed in pairs]
        run = Explained(gate96, jumbo, port, [framed(before) for before, _ in pairs])
        tap.equal(f"frames of 9,000 bytes, {way}", run.sent[other], [framed(after) for _, after in pairs])


def main():
    tap, gate96 = Tap(), sys.argv[1]
    judge_mixed(tap, gate96)
    judge_tags(tap, gate96)
    judge_edges(tap, gate96)
    judge_jumbo(tap, gate96)
    return tap.finish()


sys.exit(main())
