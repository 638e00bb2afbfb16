# SPDX-License-Identifier: BSD-3-Clause
"""Feeds packets from the LAN through `gate96 explain` and has Scapy and tshark judge the ESP that leaves on the WAN."""
import secrets
import sys
import tempfile

import esp
import frames
import gateway_config
import tshark
from explain import Explained
from gateway_config import HOST, OWN_WAN, PEER_WAN, REMOTE_HOST
from tap import Tap

SENT, DROPPED_BY = "forwarded", "policy_discard"
SA = esp.Sa("out", 0x1002, OWN_WAN, PEER_WAN, secrets.token_bytes(20))
OTHER_SA = esp.Sa("out-dns", 0xfffffffe, OWN_WAN, PEER_WAN, secrets.token_bytes(20))


def packet(payload_len=40, protocol=frames.PROTO_UDP, dst=REMOTE_HOST, dst_port=5000, **how):
    payload = frames.udp(4000, dst_port, bytes(index & 255 for index in range(payload_len)))
    return frames.ipv4(HOST, dst, protocol, payload, **how)


def of_length(length):
    return packet(length - 28)


# (name, frame, verdict, SA that protects it)
CASES = [
    *((f"inner packet of {length} bytes", frames.ether(of_length(length)), SENT, SA)
      for length in (28, 29, 30, 31, 32, 83, 84, 85, 86, 87, 575, 1400, 1455, 1456, 1457, 1458)),
    ("28 bytes of UDP in a 60-byte frame, the rest not zero",
     frames.ether(packet(0), trailer=b"\xee" * 18), SENT, SA),
    ("IPv4 options stay inside", frames.ether(packet(options=b"\x01\x01\x01\x00")), SENT, SA),
    ("TTL 2", frames.ether(packet(ttl=2)), SENT, SA),
    ("TTL 1 is not tunnelled", frames.ether(packet(ttl=1)), "ttl_expired", None),
    ("TTL 0 is not tunnelled", frames.ether(packet(ttl=0)), "ttl_expired", None),
    ("a policy with ports goes before one without", frames.ether(packet(dst_port=53)), SENT, OTHER_SA),
    ("the first fragment", frames.ether(packet(fragment=frames.MORE_FRAGMENTS)), SENT, SA),
    ("a later fragment is not read as ports",
     frames.ether(frames.ipv4(HOST, REMOTE_HOST, 17, b"\x0f\xa0\x00\x35" + bytes(20), fragment=9)), SENT, SA),
    ("a discard policy", frames.ether(packet(dst_port=9)), DROPPED_BY, None),
    ("no policy", frames.ether(packet(dst="10.77.0.1")), "no_policy", None),
    ("IP total length over the frame", frames.ether(packet(total_len=200)), "ip_truncated", None),
    ("IP header length under 20", frames.ether(packet(ihl=4)), "ip_header", None),
    ("total length under the header", frames.ether(packet(total_len=19)), "ip_header", None),
    ("a bad header checksum", frames.ether(packet(bad_checksum=True)), "ip_checksum", None),
    ("version 6 in an IPv4 frame", frames.ether(b"\x65" + packet()[1:]), "ip_version", None),
    ("a frame cut in its IP header", frames.ether(packet()[:12]), "frame_short", None),
    ("neither IP nor ARP", frames.ether(packet(), ethertype=0x88cc), "not_ip", None),
]


def config():
    policy = gateway_config.policy_text
    here, there = f"{gateway_config.LAN}.0/24", f"{gateway_config.REMOTE}.0/24"
    return (gateway_config.HEAD + gateway_config.sa_text(SA, "out") + gateway_config.sa_text(OTHER_SA, "out")
            + policy("out", "protect", here, there, "udp", dst_ports="53", sa=OTHER_SA.name, priority=10)
            + policy("out", "discard", here, there, "udp", dst_ports="9", priority=20)
            + policy("out", "protect", here, there, sa=SA.name, priority=30))


def judge_outer(tap, name, frame, seq):
    """The outer header against RFC 4301 5.1.2.1 and RFC 791; Scapy recomputes its checksum."""
    from scapy.layers.inet import IP
    from scapy.layers.ipsec import ESP
    from scapy.layers.l2 import Ether
    seen = Ether(frame)
    ip = seen[IP]
    again = ip.copy()
    del again.chksum
    facts = {"dst mac": seen.dst, "src": ip.src, "dst": ip.dst, "proto": ip.proto, "ihl": ip.ihl,
             "len": ip.len, "checksum": ip.chksum, "seq": ip[ESP].seq if ESP in ip else None}
    wanted = {"dst mac": gateway_config.PEER_MAC, "src": OWN_WAN, "dst": PEER_WAN, "proto": frames.PROTO_ESP, "ihl": 5,
              "len": len(frame) - frames.ETHER_LEN, "checksum": IP(bytes(again)).chksum, "seq": seq}
    tap.equal(f"{name}: outer header", facts, wanted)
    return ip


def judge_inner(tap, name, ip, sa, inner):
    """Scapy checks the ICV and takes the packet apart; padding must be 1, 2, 3 and no longer than needed."""
    tail = bytes(ip)[28 + len(inner):-esp.ICV_LEN]  # first, because decrypt() empties the packet
    from scapy.layers.ipsec import IPSecIntegrityError
    try:
        found = bytes(esp.scapy_sa(sa).decrypt(ip))
    except IPSecIntegrityError as error:
        tap.result(f"{name}: Scapy accepts it", False, error)
        return
    tap.equal(f"{name}: Scapy accepts it", found, inner)
    pad = esp.monotonic_pad(len(inner))
    tap.equal(f"{name}: padding and trailer", tail, pad + bytes([len(pad), esp.NEXT_HEADER_IPV4]))


def inner_of(frame):
    """What must come out at the other end: the IP packet without the frame's padding, its TTL counted down."""
    ip = frame[frames.ETHER_LEN:]
    return frames.ttl_down(ip[:int.from_bytes(ip[2:4], "big")])


def judge_offload(tap, gate96):
    """What a receive offload glues together is no packet of this link."""
    glued = frames.ether(frames.ipv4(HOST, REMOTE_HOST, frames.PROTO_TCP, bytes(20000 - 20)))
    config = gateway_config.HEAD + gateway_config.policy_text("out", "bypass")
    tap.equal("a frame of 20,000 bytes is dropped by name", Explained(gate96, config, "lan", [glued]).verdicts(),
              ["frame_long"])


def main():
    tap = Tap()
    run = Explained(sys.argv[1], config(), "lan", [frame for _, frame, _, _ in CASES])
    out = iter(run.sent.get("wan", []))
    next_seq = {SA: 1, OTHER_SA: 1}
    for (name, frame, verdict, sa), told in zip(CASES, run.packets):
        if not tap.equal(f"{name}: verdict", told["verdict"], verdict) or verdict != SENT:
            continue
        tap.equal(f"{name}: SA and sequence number told", (told["sa"], told["seq"]), (sa.name, next_seq[sa]))
        ip = judge_outer(tap, name, next(out), next_seq[sa])
        judge_inner(tap, name, ip, sa, inner_of(frame))
        next_seq[sa] += 1
    tap.equal("nothing else left", list(out), [])
    with tempfile.NamedTemporaryFile(suffix=".pcap") as capture:
        frames.write_pcap(capture.name, run.sent.get("wan", []))
        verdicts = tshark.icv_verdicts(capture.name, [SA, OTHER_SA])
    judge_offload(tap, sys.argv[1])
    num_sent = sum(next_seq.values()) - 2
    tap.equal("tshark: every packet is ESP with a good ICV", verdicts, ["good"] * num_sent)
    return tap.finish()


sys.exit(main())
