# SPDX-License-Identifier: BSD-3-Clause
"""Where sequence numbers begin, cross 2^32 and end, and where lifetimes end (RFC 4303 3.3.3, RFC 4301 4.4.2.1).

Every packet that leaves is compared with one built here, byte for byte from SPI to ICV. Each case has an SA of its
own; all of one direction go through one gateway, in bursts of 32 and of 1.
"""
import dataclasses
import secrets
import sys

import esp
import frames
import gateway_config
from explain import Explained
from gateway_config import HOST, OWN_WAN, PEER_WAN, REMOTE_HOST
from tap import Tap

PASS, USED_UP, EXPIRED = "forwarded", "seq_exhausted", "sa_expired"
SEEN, OLD, BAD = "replay", "replay_old", "icv_bad"
K32 = 1 << 32
OUTER_LEN = 20
PAYLOAD = bytes(range(56))                # inner packet of 84 bytes: 88 are encrypted with padding and trailer
ENCRYPTED = 88


@dataclasses.dataclass(frozen=True)
class Out:
    name: str
    extra: str       # lines of the SA's table
    esn: bool
    numbers: list    # of the packets that leave, in order
    then: tuple = ()  # verdicts of the packets after them


OUTBOUND = [
    Out("the first number is 1", "", False, [1, 2, 3]),
    Out("seq_start", "seq_start = 1000\n", False, [1000, 1001]),
    Out("the last number without ESN once, then none", "seq_start = 0xfffffffe\n", False, [K32 - 2, K32 - 1],
        (USED_UP, USED_UP)),
    Out("ESN across 2^32 within a burst", "seq_start = 0xfffffffd\n", True, list(range(K32 - 3, K32 + 4))),
    Out("ESN begun beyond 2^32", f"seq_start = {5 * K32 + 7}\n", True, [5 * K32 + 7, 5 * K32 + 8]),
    Out("ESN with a high half of 0", "", True, [1, 2]),
    Out("hard limit of 10 packets, 20 sent", "life_packets = 10\n", False, list(range(1, 11)), (EXPIRED,) * 10),
    Out("hard limit of bytes reached exactly", f"life_bytes = {3 * ENCRYPTED}\n", False, [1, 2, 3], (EXPIRED,) * 3),
    Out("hard limit of bytes would be exceeded", f"life_bytes = {3 * ENCRYPTED - 1}\n", False, [1, 2], (EXPIRED,) * 3),
    Out("a soft limit stops nothing", "life_packets = { soft = 1 }\nlife_bytes = { soft = 1 }\n", False, [1, 2, 3]),
]


def sent(*numbers):
    return [(number, PASS) for number in numbers]


# (name, lines of the SA's table, ESN, window, [(number, verdict)]); BAD stands for a packet with a wrong ICV
INBOUND = [
    ("seq_start: nothing below it", "seq_start = 100\n", False, 64, [(99, SEEN), (50, SEEN), (100, PASS), (99, SEEN)]),
    ("seq_start: far below it", "seq_start = 1000\n", False, 64, [(900, OLD), (1000, PASS)]),
    ("ESN across 2^32 within a burst", "seq_start = 0xfffffffd\n", True, 64,
     sent(*range(K32 - 3, K32 + 4)) + [(K32 - 1, SEEN), (K32, SEEN), (K32 + 3, SEEN)]),
    ("ESN out of order across 2^32", "seq_start = 0xfffffff0\n", True, 64,
     sent(K32 - 5, K32 + 5, K32 - 4, K32 + 4, K32 - 16) + [(K32 - 4, SEEN)]),
    ("ESN begun beyond 2^32", f"seq_start = {5 * K32 + 7}\n", True, 32, sent(5 * K32 + 7, 5 * K32 + 8)),
    ("ESN: a number of the half before is no number of this one", f"seq_start = {K32 + 1000}\n", True, 64,
     [(1001, BAD), (K32 + 1001, PASS)]),
    ("the last number without ESN", "seq_start = 0xfffffffe\n", False, 64, sent(K32 - 2, K32 - 1) + [(K32 - 1, SEEN)]),
    ("hard limit of 10 packets, 20 sent", "life_packets = 10\n", False, 64,
     sent(*range(1, 11)) + [(seq, EXPIRED) for seq in range(11, 21)]),
    ("replays and bad ICVs do not age", "life_packets = 3\n", False, 64,
     [(1, PASS), (1, SEEN), (2, BAD), (1, SEEN), (3, BAD), (2, PASS), (2, SEEN), (3, PASS), (4, EXPIRED)]),
    ("replays and bad ICVs do not age, in bytes", f"life_bytes = {2 * ENCRYPTED}\n", False, 64,
     [(1, PASS), (1, SEEN), (2, BAD), (2, PASS), (3, EXPIRED)]),
]


def inner(src, dst, port, ttl=64):
    return frames.ipv4(src, dst, frames.PROTO_UDP, frames.udp(4000, port, PAYLOAD), ttl=ttl)


def judge_outbound(tap, gate96, burst):
    config, frames_in, cases = gateway_config.HEAD, [], []
    for index, case in enumerate(OUTBOUND):
        sa = esp.Sa(f"out-{index}", 0x3000 + index, OWN_WAN, PEER_WAN, secrets.token_bytes(20), esn=case.esn)
        port = 6000 + index
        config += gateway_config.sa_text(sa, "out", case.extra) + gateway_config.policy_text(
            "out", "protect", protocol="udp", dst_ports=str(port), sa=sa.name)
        count = len(case.numbers) + len(case.then)
        frames_in += [frames.ether(inner(HOST, REMOTE_HOST, port))] * count
        cases.append((case, sa, inner(HOST, REMOTE_HOST, port, ttl=63), count))
    run = Explained(gate96, config, "lan", frames_in, burst)
    verdicts, out = iter(run.verdicts()), iter(run.sent["wan"])
    for case, sa, packet, count in cases:
        name = f"out, bursts of {burst}: {case.name}"
        found = [next(verdicts) for _ in range(count)]
        tap.equal(f"{name}: verdicts", found, [PASS] * len(case.numbers) + list(case.then))
        left = [next(out)[frames.ETHER_LEN + OUTER_LEN:] for _ in range(found.count(PASS))]
        tap.equal(f"{name}: packets", left, [esp.esp(sa, seq, packet) for seq in case.numbers])


def judge_inbound(tap, gate96, burst):
    config, frames_in, wanted = gateway_config.HEAD, [], []
    for index, (_, extra, esn, window, numbers) in enumerate(INBOUND):
        sa = esp.Sa(f"in-{index}", 0x4000 + index, PEER_WAN, OWN_WAN, secrets.token_bytes(20), window, esn)
        port = 6000 + index
        config += gateway_config.sa_text(sa, "in", extra) + gateway_config.policy_text(
            "in", "protect", protocol="udp", dst_ports=str(port), sa=sa.name)
        for seq, verdict in numbers:
            packet = esp.esp(sa, seq, inner(REMOTE_HOST, HOST, port))
            packet = esp.flipped(packet, -1) if verdict == BAD and not esn else packet
            frames_in.append(frames.ether(frames.ipv4(PEER_WAN, OWN_WAN, frames.PROTO_ESP, packet)))
        wanted.append([verdict for _, verdict in numbers])
    verdicts = iter(Explained(gate96, config, "wan", frames_in, burst).verdicts())
    for (name, *_), case in zip(INBOUND, wanted):
        tap.equal(f"in, bursts of {burst}: {name}", [next(verdicts) for _ in case], case)


def main():
    tap = Tap()
    for burst in (32, 1):
        judge_outbound(tap, sys.argv[1], burst)
        judge_inbound(tap, sys.argv[1], burst)
    return tap.finish()


sys.exit(main())
