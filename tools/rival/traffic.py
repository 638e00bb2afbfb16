# SPDX-License-Identifier: BSD-3-Clause
"""What both gateways get to forward: UDP over IPv4 through tunnels, one far host for each SA."""
import pathlib
import random
import struct
import subprocess

ETHER_LEN, IP_LEN, UDP_LEN = 14, 20, 8
NEAR_HOST, NEAR_WAN, FAR_WAN = "10.1.0.2", "192.0.2.1", "192.0.2.2"
NEAR_NET, FAR_NET = "10.1.0.0/24", "10.2.0.0/16"
FIRST_SPI = 0x1000
# Each length as often in each SA: 32 SAs times a dozen.
NUM_FRAMES = 32 * 12
IMIX = [64] * 7 + [594] * 4 + [1418]


def far_host(sa):
    return f"10.2.{sa // 250}.{sa % 250 + 1}"


def key(sa):
    """20 bytes that are the same in both configurations."""
    return bytes((0x96 + 7 * sa + i) & 0xff for i in range(20))


def lengths(size):
    """Of the clear frames without FCS, in the order of arrival. IMIX is 7:4:1, mixed."""
    if size != "imix":
        return [int(size)] * NUM_FRAMES
    mixed = IMIX * (NUM_FRAMES // len(IMIX))
    random.Random(96).shuffle(mixed)
    return mixed


def ip_checksum(header):
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def address(text):
    return bytes(map(int, text.split(".")))


def udp_frame(length, src, dst):
    ip_len = length - ETHER_LEN
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, ip_len, 0, 0, 64, 17, 0, address(src), address(dst))
    ip = head[:10] + struct.pack("!H", ip_checksum(head)) + head[12:]
    udp = struct.pack("!HHHH", 4096, 4096, ip_len - IP_LEN, 0)
    ether = b"\xff" * 6 + bytes.fromhex("020000000102") + b"\x08\x00"
    return ether + ip + udp + bytes(ip_len - IP_LEN - UDP_LEN)


def clear_frames(direction, size, num_sas):
    """To the far hosts if they go out, from them if they come in; the SAs take turns."""
    for i, length in enumerate(lengths(size)):
        far = far_host(i % num_sas)
        yield udp_frame(length, NEAR_HOST, far) if direction == "out" else udp_frame(length, far, NEAR_HOST)


def write_pcap(path, frames):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for frame in frames:
            file.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)


def read_pcap(path):
    data = pathlib.Path(path).read_bytes()
    at = 24
    while at < len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        yield data[at + 16:at + 16 + length]
        at += 16 + length


def sealed(gate96, sender_config, clear_pcap, folder):
    """The clear frames as ESP, as the far gateway of `sender_config` sends them, to any MAC address."""
    subprocess.run([gate96, "explain", str(sender_config), "--port", "lan", str(clear_pcap), "--out", str(folder)],
                   check=True, stdout=subprocess.DEVNULL)
    return [b"\xff" * 6 + frame[6:] for frame in read_pcap(folder / "wan.pcap")]
