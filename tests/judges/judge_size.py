# SPDX-License-Identifier: BSD-3-Clause
"""The MTU's edge and fragments (RFC 4301 8, RFC 4303 3.3.4, 3.4.1), TTL, TFC padding: Scapy judges what comes out."""
import sys

from scapy.layers.inet import ICMP, IP, defragment, fragment
from scapy.layers.inet6 import ICMPv6PacketTooBig, ICMPv6TimeExceeded, IPv6, IPv6ExtHdrFragment, defragment6, fragment6
from scapy.layers.ipsec import ESP
from scapy.layers.l2 import Ether

from dual_stack import Pair, frame, one_hop, packet
from explain import Explained
from tap import Tap

# Largest inner packet at MTU 1500: outer header, ESP header, 2 bytes of trailer on a multiple of 4, 12 of ICV.
LARGEST = {4: 1458, 6: 1438}


def ips(frames):
    return [Ether(out).payload for out in frames]


def judge_edge(tap, gate96, inner, outer):
    name = f"{inner}in{outer}"
    largest = LARGEST[outer]
    pair = Pair(inner, outer)
    df = {"flags": "DF"} if inner == 4 else {}
    sizes = (largest - 1, largest, largest + 1, 1500)
    run = Explained(gate96, pair.config, "lan", [frame(packet(inner, size, **df)) for size in sizes])
    tap.equal(f"{name}: {sizes} with DF", run.verdicts(), ["forwarded"] * 2 + ["too_big"] * 2)
    errors = ips(run.sent["lan"])
    told = [(error[ICMP].type, error[ICMP].code, error[ICMP].nexthopmtu) if inner == 4
            else (2, 0, error[ICMPv6PacketTooBig].mtu) for error in errors]
    tap.equal(f"{name}: the sender is told the right MTU", told, [(3, 4, largest) if inner == 4 else (2, 0, largest)] * 2)
    again = [error.copy() for error in errors]
    for error in again:
        if inner == 4:
            del error.chksum
            del error[ICMP].chksum
        else:
            del error[ICMPv6PacketTooBig].cksum
    tap.equal(f"{name}: checksums of the errors", [bytes(error) for error in errors], [bytes(error) for error in again])
    tap.equal(f"{name}: no error is over the minimum MTU", [len(error) <= (576, 1280)[inner == 6] for error in errors],
              [True] * 2)


def judge_cut(tap, gate96, outer):
    """IPv4 without DF: the ESP packet is cut; whoever puts it together again finds it whole."""
    pair = Pair(4, outer)
    sent = [packet(4, size, id=size) for size in (LARGEST[outer] + 1, 1500)]
    run = Explained(gate96, pair.config, "lan", [frame(ip) for ip in sent])
    pieces = ips(run.sent["wan"])
    tap.result(f"4in{outer}: each piece fits", all(len(piece) <= 1500 for piece in pieces), [len(p) for p in pieces])
    if outer == 4:
        whole = [piece for piece in defragment(pieces) if not piece.flags.MF and piece.frag == 0]
    else:
        ids = sorted({piece[IPv6ExtHdrFragment].id for piece in pieces})
        whole = [IPv6(bytes(defragment6([p for p in pieces if p[IPv6ExtHdrFragment].id == one]))) for one in ids]
    sa = pair.scapy("out")
    opened = [bytes(sa.decrypt(type(ip)(bytes(ip)))) for ip in whole]
    tap.equal(f"4in{outer}: cut, put together, opened", opened, [one_hop(ip) for ip in sent])


def judge_reassembly(tap, gate96, outer):
    pair = Pair(4, outer)
    inner = [packet(4, size, outbound=False) for size in (1400, 1300)]
    sa = pair.scapy("in")
    sealed = [sa.encrypt(ip) for ip in inner]
    if outer == 4:
        sealed[0].id, sealed[1].id = 7, 8
        pieces = [fragment(type(ip)(bytes(ip)), fragsize=600) for ip in sealed]
    else:
        pieces = []
        for number, ip in enumerate(sealed):
            head = IPv6(bytes(ip))
            cut = IPv6(src=head.src, dst=head.dst) / IPv6ExtHdrFragment(id=number, nh=50) / bytes(head.payload)
            pieces.append(fragment6(cut, 640))
    mixed = [pieces[0][2], pieces[1][0], pieces[0][0], pieces[1][1], pieces[0][1], *pieces[1][2:]]
    for burst in (32, 1):
        run = Explained(gate96, pair.config, "wan", [frame(type(piece)(bytes(piece))) for piece in mixed], burst)
        verdicts = run.verdicts()
        tap.equal(f"4in{outer}, burst {burst}: two packets came out, the rest merged",
                  (verdicts.count("forwarded"), verdicts.count("merged")), (2, len(mixed) - 2))
        out = [bytes(ip) for ip in defragment(ips(run.sent.get("lan", [])))]
        tap.equal(f"4in{outer}, burst {burst}: and are what was sent", out, [one_hop(ip) for ip in inner])
    alone = Explained(gate96, pair.config, "wan", [frame(type(mixed[1])(bytes(mixed[1])))])
    tap.equal(f"4in{outer}: a fragment alone is held", alone.verdicts(), ["held"])
    config = pair.config.replace("[gateway]", '[gateway]\nesp_fragments = "discard"')
    refused = Explained(gate96, config, "wan", [frame(type(piece)(bytes(piece))) for piece in mixed])
    tap.equal(f"4in{outer}: or discarded", refused.verdicts(), ["esp_fragment"] * len(mixed))


def judge_ttl(tap, gate96):
    for family, field in ((4, "ttl"), (6, "hlim")):
        pair = Pair(family, 4)
        run = Explained(gate96, pair.config, "lan", [frame(packet(family, 100, **{field: ttl})) for ttl in (0, 1, 2)])
        tap.equal(f"IPv{family}: TTL 0, 1 and 2", run.verdicts(), ["ttl_expired", "ttl_expired", "forwarded"])
        kinds = [error[ICMP].type if family == 4 else error[ICMPv6TimeExceeded].type for error in ips(run.sent["lan"])]
        tap.equal(f"IPv{family}: the sender is told", kinds, [11, 11] if family == 4 else [3, 3])


def judge_about_errors(tap, gate96):
    """RFC 1122 3.2.2: no error about an error, a later fragment, or a group."""
    inner = IP(src="10.1.0.2", dst="10.2.0.2", ttl=1)
    sent = [inner / ICMP(type=3, code=1), IP(src="10.1.0.2", dst="10.2.0.2", ttl=1, frag=5, proto=17) / (b"x" * 32),
            IP(src="10.1.0.2", dst="224.0.0.9", ttl=1) / ICMP(), inner / ICMP()]
    config = Pair(4, 4).config + '\n[[policy]]\ndirection = "out"\naction = "bypass"\npriority = 900\n'
    run = Explained(gate96, config, "lan", [frame(IP(bytes(ip))) for ip in sent])
    tap.equal("errors about a ping only", [error[ICMP].type for error in ips(run.sent["lan"])], [11])


def judge_df(tap, gate96):
    """RFC 4301 8.1: the outer DF bit as configured; identifications differ while packets may be cut."""
    sent = [frame(packet(4, 100, flags=flags)) for flags in ("", "DF")] * 20
    for choice, wanted in (("copy", [False, True]), ("set", [True, True]), ("clear", [False, False])):
        run = Explained(gate96, Pair(4, 4, extra_out=f'df = "{choice}"').config, "lan", sent)
        outer = ips(run.sent["wan"])
        tap.equal(f"df = {choice}: the outer DF bit", [bool(ip.flags.DF) for ip in outer], wanted * 20)
        tap.equal(f"df = {choice}: no identification twice", len({ip.id for ip in outer}), len(sent))
    run = Explained(gate96, Pair(4, 4, extra_out='df = "clear"').config, "lan", [frame(packet(4, 1500, flags="DF"))])
    tap.equal("df = clear: too big is cut, whatever the sender wants", [len(ip) <= 1500 for ip in ips(run.sent["wan"])],
              [True, True])


def judge_tfc(tap, gate96):
    pair = Pair(4, 4, extra_out="tfc = 1000")
    sent = [packet(4, size) for size in (48, 999, 1000, 1001)]
    run = Explained(gate96, pair.config, "lan", [frame(ip) for ip in sent])
    lengths = [len(ip[ESP].data) - 2 - 12 for ip in ips(run.sent["wan"])]
    tap.equal("TFC: what is shorter is as long as asked", [length - length % 4 for length in lengths],
              [1000 + 2 - 2, 1000, 1000, 1000])
    sa = pair.scapy("out")
    opened = [bytes(sa.decrypt(ip)) for ip in ips(run.sent["wan"])]
    wanted = [one_hop(ip) for ip in sent]
    tap.equal("TFC: the packet, then zeroes", [(out[:len(want)], out[len(want):].strip(b"\0"))
                                               for out, want in zip(opened, wanted)], [(want, b"") for want in wanted])


def main():
    tap, gate96 = Tap(), sys.argv[1]
    for inner, outer in ((4, 4), (6, 4), (4, 6), (6, 6)):
        judge_edge(tap, gate96, inner, outer)
    for outer in (4, 6):
        judge_cut(tap, gate96, outer)
        judge_reassembly(tap, gate96, outer)
    judge_ttl(tap, gate96)
    judge_about_errors(tap, gate96)
    judge_df(tap, gate96)
    judge_tfc(tap, gate96)
    return tap.finish()


sys.exit(main())
