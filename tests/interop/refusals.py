# SPDX-License-Identifier: BSD-3-Clause
"""What both ends must refuse: a wrong ICV and a replay, sent to each among packets that are good.

The keys are known here, so that a packet whose ICV is wrong in one bit differs from a good one in nothing else.
"""
import pathlib
import re
import time

from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.inet6 import ICMPv6EchoReply, IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Raw

import esp
import netns
from link import ADDRESSES, SPI_IN, SPI_OUT, UDP_PORT, bare

INJECT = pathlib.Path(__file__).resolve().parent / "inject.py"
PEER_MAC = "02:96:00:00:00:99"
AHEAD = 20       # of the numbers in use; within every window, so that traffic goes on afterwards
PATIENCE_SECONDS = 5
HEADER = {4: IP, 6: IPv6}


class Forger:
    """Builds packets of one direction of a link as its sender would: "in" to the gateway, "out" from it."""

    def __init__(self, link, direction, macs):
        gateway, peer = link.ends()
        near, far = bare(ADDRESSES[link.inner][1]), bare(ADDRESSES[link.inner][5])
        to_gateway = direction == "in"
        self._link = link
        self._macs = macs
        self._outer = (peer, gateway) if to_gateway else (gateway, peer)
        self._inner = (far, near) if to_gateway else (near, far)
        self._sa = esp.Sa(direction, SPI_IN if to_gateway else SPI_OUT, *self._outer,
                          link.key_in if to_gateway else link.key_out, link.window, link.esn)

    def frame(self, seq, flip=None):
        """An echo reply, which nobody answers, with number `seq`; `flip`: the byte of the ICV that is changed."""
        family = self._link.inner
        reply = ICMP(type=0, id=96) if family == 4 else ICMPv6EchoReply(id=96)
        src, dst = self._inner if self._link.mode == "tunnel" else self._outer
        inner = HEADER[family](bytes(HEADER[family](src=src, dst=dst) / reply / Raw(b"gate96" * 5)))
        if self._link.mode == "tunnel":
            packet = esp.esp(self._sa, seq, bytes(inner), 4 if family == 4 else 41)
        else:
            packet = esp.esp(self._sa, seq, bytes(inner.payload), 1 if family == 4 else 58)
        if flip is not None:
            packet = esp.flipped(packet, flip - esp.ICV_LEN)
        return bytes(Ether(dst=self._macs[1], src=self._macs[0]) / self._wrapped(packet)).hex()

    def _wrapped(self, packet):
        src, dst = self._outer
        head = HEADER[self._link.outer](src=src, dst=dst)
        if self._link.encap:
            return head / UDP(sport=UDP_PORT, dport=UDP_PORT, **({"chksum": 0} if head.version == 4 else {})) / Raw(packet)
        if head.version == 4:
            head.proto = 50
        else:
            head.nh = 50
        return head / Raw(packet)


def frames_of(forger, seq):
    """A good packet, the two next with the first and the last byte of the ICV changed, and the good one again."""
    good = forger.frame(seq)
    return [good, forger.frame(seq + 1, flip=0), forger.frame(seq + 2, flip=esp.ICV_LEN - 1), good]


def until(ask, wanted):
    """The answer once it is the wanted one, or the last one before patience ends."""
    end = time.monotonic() + PATIENCE_SECONDS
    while (answer := ask()) != wanted and time.monotonic() < end:
        time.sleep(0.05)
    return answer


def gateway_mac(space):
    return netns.run("ip", "-n", space, "-o", "link", "show", "wan").split("link/ether ")[1].split()[0]


def sa_in(gateway):
    return next(sa for sa in gateway.show("sa")["sas"] if sa["direction"] == "in")


def check_gateway(tap, link, peer, gateway, space):
    before = sa_in(gateway)
    seq = before["seq"] + AHEAD
    frames = frames_of(Forger(link, "in", (PEER_MAC, gateway_mac(space))), seq)
    peer.run(f"/usr/bin/python3 {INJECT} eth0 {' '.join(frames)}")
    wanted = {"seq": seq, "icv_bad": before["icv_bad"] + 2, "replay_drops": before["replay_drops"] + 1}
    tap.equal(f"{link}: the gateway refuses 2 bad ICVs and a replay",
              until(lambda: {key: sa_in(gateway)[key] for key in wanted}, wanted), wanted)


def kernel_view(peer, link):
    """Highest number accepted by the kernel's inbound SA, and its counts of refusals."""
    gateway, other = link.ends()
    text = peer.run(f"ip xfrm state get src {gateway} dst {other} proto esp spi {SPI_OUT:#x}; cat /proc/net/xfrm_stat")
    high = re.search(r"seq-hi 0x([0-9a-f]+)", text)
    low = re.search(r"\bseq 0x([0-9a-f]+)", text)
    counts = dict(re.findall(r"(\w+)\s+(\d+)$", text, re.MULTILINE))
    return ((int(high[1], 16) << 32 if high else 0) | int(low[1], 16), int(counts["XfrmInStateProtoError"]),
            int(counts["XfrmInStateSeqError"]))


def check_kernel(tap, link, peer, space):
    seq, num_bad, num_replays = kernel_view(peer, link)
    seq += AHEAD
    frames = frames_of(Forger(link, "out", (gateway_mac(space), PEER_MAC)), seq)
    netns.run(*netns.inside(space, "/usr/bin/python3", str(INJECT), "wan", *frames))
    wanted = (seq, num_bad + 2, num_replays + 1)
    tap.equal(f"{link}: the kernel refuses 2 bad ICVs and a replay", until(lambda: kernel_view(peer, link), wanted), wanted)
