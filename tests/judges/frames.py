# SPDX-License-Identifier: BSD-3-Clause
"""Ethernet frames, IPv4 packets and pcap files as bytes; checksums are right unless a case breaks them."""
import ipaddress
import struct

ETHER_LEN = 14
ETHERTYPE_IPV4 = 0x0800
PROTO_ICMP, PROTO_TCP, PROTO_UDP, PROTO_ESP = 1, 6, 17, 50
DONT_FRAGMENT, MORE_FRAGMENTS = 0x4000, 0x2000
PORT_MAC = "ff:ff:ff:ff:ff:ff"    # reaches a port whatever its address
OTHER_MAC = "02:00:00:00:00:77"


def checksum(data):
    """The Internet checksum (RFC 1071) of an even or odd number of bytes."""
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def ipv4(src, dst, protocol, payload, ttl=64, options=b"", identification=0, fragment=0, tos=0, total_len=None,
         ihl=None, bad_checksum=False):
    """An IPv4 packet. `total_len` and `ihl` replace the right ones."""
    ihl = 5 + len(options) // 4 if ihl is None else ihl
    total_len = 20 + len(options) + len(payload) if total_len is None else total_len
    head = struct.pack("!BBHHHBBH4s4s", 0x40 | ihl, tos, total_len, identification, fragment, ttl, protocol, 0,
                       ipaddress.IPv4Address(src).packed, ipaddress.IPv4Address(dst).packed) + options
    total = checksum(head[:max(20, min(len(head), ihl * 4))]) ^ bad_checksum
    return head[:10] + struct.pack("!H", total) + head[12:] + payload


def udp(src_port, dst_port, payload):
    """A UDP datagram without a checksum, as RFC 768 allows over IPv4."""
    return struct.pack("!HHHH", src_port, dst_port, 8 + len(payload), 0) + payload


def ttl_down(packet):
    """What a router makes of an IPv4 packet: TTL one less, the header checksum computed anew."""
    header_len = (packet[0] & 15) * 4
    head = bytearray(packet[:header_len])
    head[8] -= 1
    head[10:12] = b"\0\0"
    head[10:12] = struct.pack("!H", checksum(bytes(head)))
    return bytes(head) + packet[header_len:]


def mac_bytes(text):
    return bytes.fromhex(text.replace(":", ""))


def ether(payload, dst=PORT_MAC, src=OTHER_MAC, ethertype=ETHERTYPE_IPV4, trailer=b""):
    return mac_bytes(dst) + mac_bytes(src) + struct.pack("!H", ethertype) + payload + trailer


def write_pcap(path, frames):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        for number, frame in enumerate(frames):
            file.write(struct.pack("<IIII", 1, number, len(frame), len(frame)) + frame)


def read_pcap(path):
    """The frames of a classic pcap of either time unit, in this machine's byte order."""
    with open(path, "rb") as file:
        data = file.read()
    magic, = struct.unpack_from("<I", data)
    if magic not in (0xa1b2c3d4, 0xa1b23c4d):
        raise ValueError(f"{path}: no pcap file (magic {magic:#x})")
    frames, at = [], 24
    while at < len(data):
        _, _, captured_len, wire_len = struct.unpack_from("<IIII", data, at)
        if captured_len != wire_len:
            raise ValueError(f"{path}: frame {len(frames) + 1} is cut")
        frames.append(data[at + 16:at + 16 + captured_len])
        at += 16 + captured_len
    return frames
