# SPDX-License-Identifier: BSD-3-Clause
"""ESP with NULL encryption and HMAC-SHA1-96, byte by byte and so also wrong where a case wants it wrong.

Good packets come from Scapy's own SecurityAssociation (see `scapy_sa`); this is for what Scapy would not build.
"""
import dataclasses
import hashlib
import hmac
import struct

ICV_LEN = 12
NEXT_HEADER_IPV4 = 4
NEXT_HEADER_DUMMY = 59


@dataclasses.dataclass(frozen=True)
class Sa:
    name: str
    spi: int
    src: str
    dst: str
    key: bytes
    window: int = 64
    esn: bool = False  # sequence numbers then have 64 bits, of which the low half travels (RFC 4303 2.2.1)


def icv(key, authenticated):
    return hmac.new(key, authenticated, hashlib.sha1).digest()[:ICV_LEN]


def monotonic_pad(payload_len):
    """1, 2, 3, ... up to the next multiple of 4 for payload, padding, pad length and next header (RFC 4303 2.4)."""
    return bytes(range(1, (-(payload_len + 2)) % 4 + 1))


def esp(sa, seq, payload, next_header=NEXT_HEADER_IPV4, pad=None, pad_len=None):
    """An ESP packet from SPI to ICV. `pad` and `pad_len` replace the right ones; the ICV is right all the same."""
    if pad is None:
        pad = monotonic_pad(len(payload))
    if pad_len is None:
        pad_len = len(pad)
    authenticated = struct.pack("!II", sa.spi, seq & 0xffffffff) + payload + pad + bytes([pad_len, next_header])
    high = struct.pack("!I", seq >> 32) if sa.esn else b""
    return authenticated + icv(sa.key, authenticated + high)


def flipped(packet, offset):
    """The packet with one bit of the byte at `offset` changed; negative counts from the end."""
    changed = bytearray(packet)
    changed[offset] ^= 1
    return bytes(changed)


def scapy_sa(sa):
    """The same SA for Scapy; loaded late, because Scapy takes a while."""
    from scapy.layers.inet import IP
    from scapy.layers.ipsec import ESP, SecurityAssociation
    return SecurityAssociation(ESP, spi=sa.spi, crypt_algo="NULL", crypt_key=b"", auth_algo="HMAC-SHA1-96",
                               auth_key=sa.key, tunnel_header=IP(src=sa.src, dst=sa.dst))
