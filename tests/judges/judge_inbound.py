# SPDX-License-Identifier: BSD-3-Clause
"""Feeds ESP built here, good and bad, through `gate96 explain` and judges verdicts and what leaves on the LAN.

Every case has an SA of its own, so all go through one gateway in one run; a second run with bursts of 1 and a third
of 7 must say the same, and send the same.
"""
import secrets
import sys

import esp
import frames
import gateway_config
import inbound_esp
import inbound_ip
import inbound_replay
from explain import Explained
from gateway_config import HOST, OWN_WAN, PEER_WAN, REMOTE_HOST
from tap import Tap

# 0x100 is the least SPI that is not reserved, 0x80 a likely table index, the others likely marks for "none".
EDGE_SPIS = [0x100, 0x180, 0x7fffffff, 0x80000000, 0xffffffff]
INNER = frames.ipv4(REMOTE_HOST, HOST, frames.PROTO_UDP, frames.udp(4000, 5000, b"sixteen bytes..." * 4))


def all_cases():
    """(name, window, function from SA and inner packet to [(frame, verdict)])"""
    def framed(build):
        return lambda sa, inner: [(inbound_ip.outer(packet), verdict) for packet, verdict in build(sa, inner)]

    yield from ((name, window, framed(build)) for name, window, build in inbound_replay.CASES)
    yield from ((name, 64, framed(build)) for name, build in inbound_esp.CASES)
    yield from ((name, 64, build) for name, build in inbound_ip.CASES)
    for spi in EDGE_SPIS:
        yield f"SPI {spi:#x}", 64, framed(inbound_replay.numbers((1, "forwarded"), (1, "replay")))
    yield "twenty packets that Scapy built", 64, from_scapy


def from_scapy(sa, inner):
    from scapy.layers.inet import IP
    scapy = esp.scapy_sa(sa)
    packets = [bytes(scapy.encrypt(IP(inner), seq_num=seq)) for seq in range(1, 21)]
    return [(frames.ether(packet), "forwarded") for packet in packets]


def number_sas(cases):
    """One SA a case. The last cases but one have the edge SPIs."""
    edges = {f"SPI {spi:#x}": spi for spi in EDGE_SPIS}
    for index, (name, window, build) in enumerate(cases):
        spi = edges.get(name, 0x2000 + index)
        yield name, esp.Sa(f"case-{index}", spi, PEER_WAN, OWN_WAN, secrets.token_bytes(20), window), build


def config_of(sas):
    text = gateway_config.HEAD
    for sa in sas:
        text += gateway_config.sa_text(sa, "in")
        text += gateway_config.policy_text("in", "protect", src=f"{gateway_config.REMOTE}.0/24",
                                           dst=f"{gateway_config.LAN}.0/24", sa=sa.name)
    return text


def inner_of(frame):
    """The inner packet of a good ESP frame, as a router passes it on."""
    packet = frame[frames.ETHER_LEN:]
    payload = packet[(packet[0] & 15) * 4 + 8:int.from_bytes(packet[2:4], "big") - esp.ICV_LEN]
    return frames.ttl_down(payload[:len(payload) - 2 - payload[-2]])


def main():
    tap = Tap()
    cases = list(number_sas(all_cases()))
    built = [(name, sa, build(sa, INNER)) for name, sa, build in cases]
    sent = [pair for _, _, pairs in built for pair in pairs]
    config = config_of([sa for _, sa, _ in built])
    wanted_out = [frames.mac_bytes(gateway_config.HOST_MAC) + inner_of(frame)
                  for frame, verdict in sent if verdict == "forwarded"]
    for burst in (32, 1, 7):
        run = Explained(sys.argv[1], config, "wan", [frame for frame, _ in sent], burst)
        found = iter(run.packets)
        for name, sa, pairs in built:
            packets = [next(found) for _ in pairs]
            tap.equal(f"burst {burst}: {name}", [packet["verdict"] for packet in packets],
                      [verdict for _, verdict in pairs])
        out = [frame[:6] + frame[frames.ETHER_LEN:] for frame in run.sent.get("lan", [])]
        tap.result(f"burst {burst}: each inner packet left on the LAN, in order", out == wanted_out,
                   f"{len(out)} packets left, {len(wanted_out)} wanted")
    return tap.finish()


sys.exit(main())
