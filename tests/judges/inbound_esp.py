# SPDX-License-Identifier: BSD-3-Clause
"""Inbound cases about the form of ESP (RFC 4303 2, 3.4; RFC 2404). Each is (name, [(ESP packet, verdict)])."""
import struct

import esp
import frames
from gateway_config import HOST, REMOTE_HOST
from inbound_replay import BAD, PASS


def one(verdict, **how):
    """The same inner packet, built as `how` says, with a right ICV."""
    return lambda sa, inner: [(esp.esp(sa, 1, inner, **how), verdict)]


def flipped_at(*offsets):
    """Good packets, each with one bit changed at an offset, and a good one last: it must still pass."""
    def build(sa, inner):
        good = [esp.esp(sa, seq, inner) for seq in range(1, len(offsets) + 2)]
        return [(esp.flipped(packet, offset), BAD) for packet, offset in zip(good, offsets)] + [(good[-1], PASS)]
    return build


def payload_of(mod):
    """An inner packet whose length leaves `mod` on division by 4, so 2, 1, 0 or 3 bytes of padding."""
    inner = frames.ipv4(REMOTE_HOST, HOST, frames.PROTO_UDP, frames.udp(7, 7, b"x" * (40 + mod)))
    return lambda sa, _: [(esp.esp(sa, 1, inner), PASS)]


def every_length(sa, inner):
    """0 to 23 bytes of protocol 50: never long enough for a tunnel, never read past their end."""
    verdicts = []
    for length in range(24):
        packet = (struct.pack("!II", sa.spi, 1) + inner)[:length]
        verdicts.append((packet, "esp_short" if length < 22 else BAD))
    return verdicts


def dummies(sa, _):
    """Next header 59: authenticated, counted in the window, then discarded (RFC 4303 2.6)."""
    built = [(esp.esp(sa, seq, b"\xaa" * length, next_header=esp.NEXT_HEADER_DUMMY), "consumed")
             for seq, length in ((1, 0), (2, 1), (3, 1400))]
    return built + [(built[1][0], "replay")]


def bad_dummy(sa, _):
    return [(esp.flipped(esp.esp(sa, 1, b"", next_header=esp.NEXT_HEADER_DUMMY), -3), BAD)]


def inner_is(verdict, packet):
    return lambda sa, _: [(esp.esp(sa, 1, packet), verdict)]


UDP = frames.udp(4000, 5000, b"payload!")
PAD_OF_2 = frames.ipv4(REMOTE_HOST, HOST, frames.PROTO_UDP, frames.udp(1, 2, b"abcd"))       # 32 bytes: 2 of padding
PAD_OF_3 = frames.ipv4(REMOTE_HOST, HOST, frames.PROTO_UDP, frames.udp(1, 2, b"abc"))        # 31 bytes: 3 of padding


def padded(packet, pad, verdict):
    return lambda sa, _: [(esp.esp(sa, 1, packet, pad=pad), verdict)]


CASES = [
    ("one bit of ICV byte 0", flipped_at(-12)),
    ("one bit of ICV byte 11", flipped_at(-1)),
    ("one bit of every ICV byte", flipped_at(*range(-12, 0))),
    ("one bit of the sequence number, the payload, the trailer", flipped_at(4, 8, 30, -13, -14)),
    ("payload mod 4 is 0", payload_of(0)),
    ("payload mod 4 is 1", payload_of(1)),
    ("payload mod 4 is 2", payload_of(2)),
    ("payload mod 4 is 3", payload_of(3)),
    ("padding 01 02 03", padded(PAD_OF_3, bytes((1, 2, 3)), PASS)),
    ("padding 00 01 02", padded(PAD_OF_3, bytes((0, 1, 2)), "pad_bad")),
    ("padding 00 00 00", padded(PAD_OF_3, bytes(3), "pad_bad")),
    ("padding FF 02 03", padded(PAD_OF_3, bytes((255, 2, 3)), "pad_bad")),
    ("padding 01 03", padded(PAD_OF_2, bytes((1, 3)), "pad_bad")),
    ("padding of 254 bytes", padded(PAD_OF_2, bytes(range(1, 255)), PASS)),
    ("pad length 255 on a payload of 10", lambda sa, _: [(esp.esp(sa, 1, bytes(10), pad=b"", pad_len=255),
                                                           "pad_bad")]),
    ("a payload that is not aligned", lambda sa, _: [(esp.esp(sa, 1, bytes(11), pad=b""), "esp_align")]),
    ("protocol 50 with 0 to 23 bytes", every_length),
    ("24 bytes, a right ICV, an empty inner packet", inner_is("inner_bad", b"")),
    ("dummies of 0, 1 and 1400 bytes", dummies),
    ("a dummy with a bad ICV", bad_dummy),
    ("next header UDP in tunnel mode", one("next_header", next_header=frames.PROTO_UDP)),
    ("next header IPv6 over an IPv4 packet", one("inner_bad", next_header=41)),
    ("inner version 5", inner_is("inner_bad", b"\x55" + PAD_OF_2[1:])),
    ("inner header length under 20", inner_is("inner_bad", frames.ipv4(REMOTE_HOST, HOST, 17, UDP, ihl=4))),
    ("inner total length over the payload",
     inner_is("inner_bad", frames.ipv4(REMOTE_HOST, HOST, 17, UDP, total_len=100))),
    ("inner total length under its header",
     inner_is("inner_bad", frames.ipv4(REMOTE_HOST, HOST, 17, UDP, total_len=19))),
    ("inner header checksum", inner_is("inner_bad", frames.ipv4(REMOTE_HOST, HOST, 17, UDP, bad_checksum=True))),
    ("inner TTL 1 is not forwarded", inner_is("ttl_expired", frames.ipv4(REMOTE_HOST, HOST, 17, UDP, ttl=1))),
    ("inner source outside the selectors",
     inner_is("selector_mismatch", frames.ipv4("10.3.0.2", HOST, 17, UDP))),
    ("inner destination outside the selectors",
     inner_is("selector_mismatch", frames.ipv4(REMOTE_HOST, "10.9.0.2", 17, UDP))),
]
