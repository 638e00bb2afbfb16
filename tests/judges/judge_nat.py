# SPDX-License-Identifier: BSD-3-Clause
"""Transport mode through a NAT (RFC 3948 3.1.2): what the host behind the wire gets has sums that hold for the
addresses that it sees. Scapy seals with the peer's private address, the NAT changes the outside, Scapy judges."""
import secrets
import sys

from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6
from scapy.layers.ipsec import ESP, SecurityAssociation
from scapy.layers.l2 import Ether
from scapy.layers.sctp import SCTP, SCTPChunkData
from scapy.packet import Raw

from explain import Explained
from gateway_config import wire_text
from tap import Tap

KEY, SPI = secrets.token_bytes(20), 0x3948
HOST_MAC, PEER_MAC = "02:00:00:00:00:0a", "02:00:00:00:00:0b"
HEADER = {4: IP, 6: IPv6}
# The host, the peer as the host sees it, and as the peer sees itself.
HOST = {4: "192.0.2.1", 6: "2001:db8:96::1"}
OUTSIDE = {4: "192.0.2.2", 6: "2001:db8:96::2"}
INSIDE = {4: "10.0.0.5", 6: "fd00::5"}


def config(family):
    return wire_text("nat", "host", "link") + f"""
[[sa]]
name = "in"
direction = "in"
spi = {SPI}
mode = "transport"
src = "{OUTSIDE[family]}"
dst = "{HOST[family]}"
udp_encap = true
key = "{KEY.hex()}"

[[sa]]
name = "out"
direction = "out"
spi = {SPI}
mode = "transport"
src = "{HOST[family]}"
dst = "{OUTSIDE[family]}"
udp_encap = true
key = "{KEY[::-1].hex()}"

[[policy]]
direction = "in"
protocol = "udp"
dst_ports = "4500"
action = "bypass"

[[policy]]
direction = "in"
src = "{OUTSIDE[family]}"
action = "protect"
sa = "in"

[[policy]]
direction = "out"
dst = "{OUTSIDE[family]}"
action = "protect"
sa = "out"
"""


def sa(key):
    return SecurityAssociation(ESP, spi=SPI, crypt_algo="NULL", crypt_key=b"", auth_algo="HMAC-SHA1-96", auth_key=key,
                               nat_t_header=UDP(sport=4500, dport=4500))


def ether(ip, src=PEER_MAC, dst=HOST_MAC):
    return bytes(Ether(src=src, dst=dst) / ip)


def through_nat(ip, family):
    """The same bytes with the source address that the NAT gives them, and what depends on it outside of ESP."""
    ip = HEADER[family](bytes(ip))
    ip.src = OUTSIDE[family]
    if family == 4:
        del ip.chksum
    else:
        del ip[UDP].chksum
    return ip


def sums_made_anew(ip, family):
    again = HEADER[family](bytes(ip))
    layer = again.payload
    field = "cksum" if "cksum" in layer.fields else "chksum"
    delattr(layer, field)
    return bytes(again)


def payloads(length):
    data = Raw(bytes(index & 255 for index in range(length)))
    yield "TCP", TCP(sport=4000, dport=80) / data
    yield "UDP", UDP(sport=4000, dport=5000) / data
    yield "SCTP", SCTP(sport=4000, dport=5000) / SCTPChunkData(data=bytes(data))


def judge(tap, gate96, family):
    frames, wanted, names = [], [], []
    sealer = sa(KEY)
    for length in (0, 1, 2, 3, 100, 1301):
        cases = list(payloads(length))
        if family == 6:
            cases.append(("ICMPv6", ICMPv6EchoRequest(id=7, data=bytes(length))))
        for name, payload in cases:
            inside = HEADER[family](bytes(HEADER[family](src=INSIDE[family], dst=HOST[family]) / payload))
            frames.append(ether(through_nat(sealer.encrypt(inside), family)))
            seen = inside.copy()
            seen.src = OUTSIDE[family]
            if family == 4:
                del seen.chksum
            if name == "UDP" and family == 4:
                seen[UDP].chksum = 0
            wanted.append(bytes(seen) if name == "SCTP" or (name, family) == ("UDP", 4)
                          else sums_made_anew(seen, family))
            names.append(f"IPv{family}: {name} with {length} bytes")
    run = Explained(gate96, config(family), "link", frames)
    tap.equal(f"IPv{family}: all pass", run.verdicts(), ["forwarded"] * len(frames))
    for name, out, want in zip(names, run.sent.get("host", []), wanted):
        tap.equal(f"{name}: as the host must see it", bytes(Ether(out).payload), want)


def judge_udp_lengths(tap, gate96):
    """UDP over IPv6 whose own length is not what IP has (RFC 768): the sum covers what UDP calls its own (RFC 8200
    8.1), padding behind it (RFC 4303 2.7) stays, a length that cannot be and a sum that was not there stay too."""
    def packet(source, length=None, chksum=None, behind=b""):
        udp = UDP(sport=4000, dport=5000, len=length, chksum=chksum)
        packed = bytearray(bytes(IPv6(src=source, dst=HOST[6]) / udp / Raw(bytes(range(100)))) + behind)
        packed[4:6] = (len(packed) - 40).to_bytes(2, "big")
        return bytes(packed)

    rows = [("padded by 1", {"behind": b"\x5a"}, True), ("padded by 300", {"behind": bytes(range(150)) * 2}, True),
            ("no sum", {"chksum": 0}, False), ("length 0", {"length": 0, "chksum": 0x1234}, False),
            ("length 7", {"length": 7, "chksum": 0x1234}, False),
            ("length over the packet", {"length": 109, "chksum": 0x1234}, False)]
    sealer = sa(KEY)
    frames, wanted = [], []
    for _, how, is_mended in rows:
        frames.append(ether(through_nat(sealer.encrypt(IPv6(packet(INSIDE[6], **how))), 6)))
        seen = bytearray(packet(INSIDE[6], **how))
        if is_mended:
            seen = packet(OUTSIDE[6], **how)  # Scapy's sum, made before what is behind it
        else:
            seen[8:24] = IPv6(src=OUTSIDE[6]).build()[8:24]
        wanted.append(bytes(seen))
    run = Explained(gate96, config(6), "link", frames)
    tap.equal("UDP's own length: all pass", run.verdicts(), ["forwarded"] * len(frames))
    for (name, _, _), out, want in zip(rows, run.sent.get("host", []), wanted):
        tap.equal(f"UDP's own length: {name}: as the host must see it", bytes(Ether(out).payload), want)


def judge_others(tap, gate96):
    """On a wire, what is not ESP of an SA of ours is others' business and passes as it is."""
    def datagram(payload):
        return ether(IP(src=OUTSIDE[4], dst=HOST[4]) / UDP(sport=4500, dport=4500) / Raw(payload))

    unknown = sa(KEY)
    unknown.spi = SPI + 1
    frames = [datagram(b"\xff"), datagram(b"\0\0\0\0" + b"IKE" * 20), datagram(b"\1\2\3"),
              ether(unknown.encrypt(IP(src=OUTSIDE[4], dst=HOST[4]) / UDP(sport=1, dport=2)))]
    run = Explained(gate96, config(4), "link", frames)
    tap.equal("keepalive, IKE, a few bytes and an unknown SPI pass on a wire", run.verdicts(), ["forwarded"] * 4)
    tap.equal("... and not a bit is changed", run.sent["host"], frames)


def without_udp(ip):
    """Scapy finds ESP behind UDP in IPv4 only."""
    return IPv6(bytes(IPv6(src=ip.src, dst=ip.dst, fl=ip.fl, tc=ip.tc, hlim=ip.hlim, nh=50) / Raw(bytes(ip[UDP].payload))))


def judge_out(tap, gate96, family):
    sent = [HEADER[family](bytes(HEADER[family](src=HOST[family], dst=OUTSIDE[family]) / TCP(sport=80, dport=4000) /
                                 Raw(bytes(length)))) for length in (0, 1, 1301)]
    run = Explained(gate96, config(family), "host", [ether(ip, HOST_MAC, PEER_MAC) for ip in sent])
    opener = sa(KEY[::-1])
    left = [Ether(out).payload for out in run.sent["link"]]
    tap.equal(f"IPv{family}: what leaves is UDP from port 4500 to 4500, its sum right",
              [(bytes(ip), ip[UDP].sport, ip[UDP].dport) for ip in left],
              [(bytes(ip) if family == 4 else sums_made_anew(ip, family), 4500, 4500) for ip in left])
    opened = [bytes(opener.decrypt(ip if family == 4 else without_udp(ip))) for ip in left]
    tap.equal(f"IPv{family}: and within is the host's packet", opened, [bytes(ip) for ip in sent])


def main():
    tap, gate96 = Tap(), sys.argv[1]
    for family in (4, 6):
        judge(tap, gate96, family)
        judge_out(tap, gate96, family)
    judge_udp_lengths(tap, gate96)
    judge_others(tap, gate96)
    return tap.finish()


sys.exit(main())
