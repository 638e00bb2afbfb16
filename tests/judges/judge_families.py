# SPDX-License-Identifier: BSD-3-Clause
"""IPv4 and IPv6 in each other, both ways, in UDP too, and ECN over the tunnel: Scapy opens what leaves and seals what
enters."""
import sys

from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.inet6 import ICMPv6EchoReply, ICMPv6EchoRequest
from scapy.layers.l2 import Ether
from scapy.packet import Raw

import dual_stack
from dual_stack import Pair, frame, one_hop, packet
from explain import Explained
from tap import Tap

PAIRS = [(inner, outer) for inner in (4, 6) for outer in (4, 6)]
LENGTHS = (48, 49, 50, 51, 576, 1400)
IN_UDP = "udp_encap = { src_port = 4500, dst_port = 4500 }"


def judge_out(tap, name, gate96, pair):
    sent = [packet(pair.inner, length) for length in LENGTHS]
    run = Explained(gate96, pair.config, "lan", [frame(ip) for ip in sent])
    sa = pair.scapy("out", nat_t_header=UDP(dport=4500, sport=4500) if "udp" in pair.config else None)
    opened = []
    for number, bytes_out in enumerate(run.sent["wan"], 1):
        ip = Ether(bytes_out).payload
        again = ip.copy()
        if ip.version == 4:
            del again.chksum
        elif UDP in again:
            del again[UDP].chksum
        tap.equal(f"{name}: outer header {number}", bytes(ip), bytes(again))
        opened.append(bytes(sa.decrypt(ip)))
    tap.equal(f"{name}: Scapy opens each", opened, [one_hop(ip) for ip in sent])


def judge_in(tap, name, gate96, pair):
    sent = [packet(pair.inner, length, outbound=False) for length in LENGTHS]
    sa = pair.scapy("in", nat_t_header=UDP(dport=4500, sport=4500) if "udp" in pair.config else None)
    run = Explained(gate96, pair.config, "wan", [frame(sa.encrypt(ip)) for ip in sent])
    tap.equal(f"{name}: the gateway opens each", [bytes(Ether(out).payload) for out in run.sent.get("lan", [])],
              [one_hop(ip) for ip in sent])


def judge_not_esp(tap, gate96):
    """RFC 3948 2: IKE and keepalives on ESP's port, and ESP without UDP for an SA that is in UDP."""
    pair = Pair(4, 4, extra=IN_UDP)
    plain = pair.scapy("in")
    peer, gateway = dual_stack.ENDS[4][1], dual_stack.ENDS[4][0]

    def datagram(payload):
        return frame(IP(src=peer, dst=gateway) / UDP(sport=4500, dport=4500) / Raw(payload))

    run = Explained(gate96, pair.config, "wan", [
        datagram(b"\xff"), datagram(b"\0\0\0\0" + b"IKE" * 20), datagram(b"\1\2\3"), datagram(b""),
        frame(plain.encrypt(packet(4, 100, outbound=False)))])
    tap.equal("in UDP: keepalive, IKE, too short, empty, and bare ESP", run.verdicts(),
              ["consumed", "no_policy", "esp_short", "esp_short", "no_sa"])


# RFC 6040 figure 4: arriving inner header -> outgoing field for outer Not-ECT, ECT(0), ECT(1), CE; None: drop.
NOT, ECT1, ECT0, CE = 0, 1, 2, 3
RFC6040 = {NOT: {NOT: NOT, ECT0: NOT, ECT1: NOT, CE: None}, ECT0: {NOT: ECT0, ECT0: ECT0, ECT1: ECT1, CE: CE},
           ECT1: {NOT: ECT1, ECT0: ECT1, ECT1: ECT1, CE: CE}, CE: {NOT: CE, ECT0: CE, ECT1: CE, CE: CE}}


def traffic_class(ip):
    return ip.tos if ip.version == 4 else ip.tc


def judge_ecn(tap, gate96):
    dscp = 46 << 2
    for inner, outer in PAIRS:
        pair = Pair(inner, outer)
        field, outer_field = ("tos", "tc")[inner == 6], ("tos", "tc")[outer == 6]
        sa = pair.scapy("in")
        frames, wanted = [], []
        for inside, row in RFC6040.items():
            for outside, leaving in row.items():
                sealed = sa.encrypt(packet(inner, 100, outbound=False, **{field: dscp | inside}))
                setattr(sealed, outer_field, outside)
                if outer == 4:
                    del sealed.chksum
                frames.append(frame(sealed))
                wanted.append(leaving)
        run = Explained(gate96, pair.config, "wan", frames)
        out = iter(run.sent["lan"])
        found = [traffic_class(Ether(next(out)).payload) ^ dscp if told == "forwarded" else told
                 for told in run.verdicts()]
        tap.equal(f"{inner}in{outer}: ECN out of the tunnel", found,
                  ["congested" if leaving is None else leaving for leaving in wanted])
        sent = [frame(packet(inner, 100, **{field: dscp | ecn})) for ecn in (NOT, ECT0, ECT1, CE)]
        for lines, expected in (("", [dscp | ecn for ecn in (NOT, ECT0, ECT1, CE)]),
                                ('dscp = 10\necn = "compatibility"', [40] * 4)):
            run = Explained(gate96, Pair(inner, outer, extra_out=lines).config, "lan", sent)
            tap.equal(f"{inner}in{outer}: DSCP and ECN into the tunnel {lines!r}",
                      [traffic_class(Ether(bytes_out).payload) for bytes_out in run.sent["wan"]], expected)


def judge_transport(tap, gate96):
    """The gateway's own echo, asked and answered inside a transport SA."""
    for family, request in ((4, ICMP(id=7, seq=1)), (6, ICMPv6EchoRequest(id=7, seq=1, data=b"echo" * 10))):
        pair = Pair(family, family, "transport")
        gateway, peer = dual_stack.ENDS[family]
        asked = dual_stack.HEADER[family](bytes(dual_stack.HEADER[family](src=peer, dst=gateway) / request))
        run = Explained(gate96, pair.config, "wan", [frame(pair.scapy("in").encrypt(asked))])
        tap.equal(f"transport IPv{family}: the request is for us", run.verdicts(), ["local"])
        answers = [pair.scapy("out").decrypt(Ether(out).payload) for out in run.sent["wan"]]
        rebuilt = [dual_stack.HEADER[family](bytes(answer)) for answer in answers]
        for answer in rebuilt:
            if family == 4:
                del answer[ICMP].chksum
            else:
                del answer[ICMPv6EchoReply].cksum
        tap.equal(f"transport IPv{family}: the answer, with Scapy's checksums", [bytes(answer) for answer in answers],
                  [bytes(answer) for answer in rebuilt])
        kinds = [bytes(answer.payload)[0] for answer in answers]
        tap.equal(f"transport IPv{family}: it is one echo reply", kinds, [0 if family == 4 else 129])


def main():
    tap, gate96 = Tap(), sys.argv[1]
    for inner, outer in PAIRS:
        for lines, where in (("", ""), (IN_UDP, " in UDP")):
            pair = Pair(inner, outer, extra=lines)
            judge_out(tap, f"{inner}in{outer}{where}, out", gate96, pair)
            judge_in(tap, f"{inner}in{outer}{where}, in", gate96, pair)
    judge_not_esp(tap, gate96)
    judge_ecn(tap, gate96)
    judge_transport(tap, gate96)
    return tap.finish()


sys.exit(main())
