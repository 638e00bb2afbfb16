# SPDX-License-Identifier: BSD-3-Clause
"""Inbound cases below ESP: whole frames as they arrive on the WAN. Each is (name, [(frame, verdict)])."""
import esp
import frames
from gateway_config import HOST, OWN_WAN, PEER_WAN, REMOTE_HOST
from inbound_replay import BAD, PASS


def outer(packet, **how):
    return frames.ether(frames.ipv4(PEER_WAN, OWN_WAN, frames.PROTO_ESP, packet, **how))


def trailing(sa, inner):
    """Bytes behind the IP packet, as Ethernet padding or a careless switch leaves them, are not part of the ESP."""
    return [(frames.ether(frames.ipv4(PEER_WAN, OWN_WAN, frames.PROTO_ESP, esp.esp(sa, seq, inner)),
                          trailer=b"\xee" * length), PASS)
            for seq, length in ((1, 2), (2, 3), (3, 9), (4, 66))]


def good_with(verdict, **how):
    return lambda sa, inner: [(outer(esp.esp(sa, 1, inner), **how), verdict)]


def fragments(sa, inner):
    packet = esp.esp(sa, 1, inner)
    return [(outer(packet, fragment=frames.MORE_FRAGMENTS), "esp_fragment"), (outer(packet, fragment=3),
                                                                              "esp_fragment")]


def reserved_spis(sa, inner):
    packet = esp.esp(sa, 1, inner)
    return [(outer(spi.to_bytes(4, "big") + packet[4:]), "spi_reserved") for spi in (0, 1, 128, 255)]


def unknown_amid_good(sa, inner):
    """Only the packets with the unknown SPI drop, wherever in the burst they are."""
    built = []
    for seq in range(1, 13):
        packet = esp.esp(sa, seq, inner)
        bad = seq in (1, 5, 12)
        built.append((outer(b"\x7f\x00\x00\x01" + packet[4:] if bad else packet), "no_sa" if bad else PASS))
    return built


def bad_at_every_place(sa, inner):
    """Ten groups of ten, the bad one at another place in each."""
    built = []
    for group in range(10):
        for place in range(10):
            packet = esp.esp(sa, 1 + group * 10 + place, inner)
            bad = place == group
            built.append((outer(esp.flipped(packet, -1 - place) if bad else packet), BAD if bad else PASS))
    return built


def lengths_mixed(sa, _):
    """Short packets finish first in a multi-buffer hash; the order of an SA stays all the same."""
    built = []
    for seq in range(1, 65):
        inner = frames.ipv4(REMOTE_HOST, HOST, frames.PROTO_UDP, frames.udp(seq, 9, bytes((seq * 397) % 1400)))
        built.append((outer(esp.esp(sa, seq, inner)), PASS))
    return built


def in_clear(sa, inner):
    return [(frames.ether(inner), "clear_on_protect"),
            (frames.ether(frames.ipv4("203.0.113.9", "203.0.113.7", frames.PROTO_UDP, frames.udp(1, 2, b""))),
             "no_policy")]


CASES = [
    ("2, 3, 9 and 66 bytes behind the ESP packet", trailing),
    ("IP total length over the frame", good_with("ip_truncated", total_len=1200)),
    ("IP total length under the header", good_with("ip_header", total_len=19)),
    ("IP header length under 20", good_with("ip_header", ihl=4)),
    ("a bad outer checksum is dropped, not repaired", good_with("ip_checksum", bad_checksum=True)),
    ("outer options before ESP", good_with(PASS, options=b"\x01\x01\x01\x00")),
    ("outer TTL 1: the packet is for us", good_with(PASS, ttl=1)),
    ("fragments of ESP", fragments),
    ("SPI 0, 1, 128 and 255", reserved_spis),
    ("an unknown SPI amid good packets", unknown_amid_good),
    ("a bad ICV at every place of a burst", bad_at_every_place),
    ("64 lengths mixed: order kept", lengths_mixed),
    ("in clear what must be protected, and what no policy knows", in_clear),
]
