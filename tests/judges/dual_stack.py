# SPDX-License-Identifier: BSD-3-Clause
"""A gateway with IPv4 and IPv6 on both sides, and Scapy's view of its SAs. For what is not plain 4-in-4."""
import secrets

from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.ipsec import ESP, SecurityAssociation
from scapy.layers.l2 import Ether
from scapy.packet import Raw

GATE_MAC, HOST_MAC, PEER_MAC = "02:00:00:00:00:01", "02:00:00:00:01:02", "02:00:00:00:02:02"
ENDS = {4: ("192.0.2.1", "192.0.2.2"), 6: ("2001:db8:96::1", "2001:db8:96::2")}        # gateway, peer
HOSTS = {4: ("10.1.0.2", "10.2.0.2"), 6: ("2001:db8:1::2", "2001:db8:2::2")}           # near, far
NETS = {4: ("10.1.0.0/24", "10.2.0.0/24"), 6: ("2001:db8:1::/64", "2001:db8:2::/64")}
HEADER = {4: IP, 6: IPv6}
SPI_OUT, SPI_IN = 0x80000000, 0xffffffff

HEAD = f"""\
[gateway]
name = "judged"

[[port]]
name = "lan"
device = "null"
role = "protected"
addresses = ["10.1.0.1/24", "2001:db8:1::1/64"]
neighbours = [{{ address = "10.1.0.2", mac = "{HOST_MAC}" }}, {{ address = "2001:db8:1::2", mac = "{HOST_MAC}" }}]

[[port]]
name = "wan"
device = "null"
role = "unprotected"
addresses = ["192.0.2.1/24", "2001:db8:96::1/64"]
neighbours = [{{ address = "192.0.2.2", mac = "{PEER_MAC}" }}, {{ address = "2001:db8:96::2", mac = "{PEER_MAC}" }}]

[[route]]
to = "10.2.0.0/24"
via = "192.0.2.2"
port = "wan"

[[route]]
to = "2001:db8:2::/64"
via = "2001:db8:96::2"
port = "wan"
"""


class Pair:
    """The two SAs of one association, `extra` being further lines of both; policies for one inner family."""

    def __init__(self, inner, outer, mode="tunnel", extra="", extra_out=""):
        self.inner, self.outer, self.mode = inner, outer, mode
        self.key_out, self.key_in = secrets.token_bytes(20), secrets.token_bytes(20)
        (gateway, peer) = ENDS[outer]
        (near, far) = NETS[inner] if mode == "tunnel" else (gateway, peer)
        self.config = HEAD + self._sa("out", SPI_OUT, gateway, peer, self.key_out, extra + extra_out)
        self.config += self._sa("in", SPI_IN, peer, gateway, self.key_in, extra)
        self.config += self._policy("out", near, far) + self._policy("in", far, near)

    def _sa(self, name, spi, src, dst, key, extra):
        return (f'\n[[sa]]\nname = "{name}"\ndirection = "{name}"\nspi = {spi:#x}\nmode = "{self.mode}"\n'
                f'src = "{src}"\ndst = "{dst}"\nkey = "{key.hex()}"\n{extra}\n')

    @staticmethod
    def _policy(direction, src, dst):
        return (f'\n[[policy]]\ndirection = "{direction}"\nsrc = "{src}"\ndst = "{dst}"\naction = "protect"\n'
                f'sa = "{direction}"\n')

    def scapy(self, direction, **how):
        """A fresh Scapy SA: sequence numbers start at 1."""
        gateway, peer = ENDS[self.outer]
        spi, key, src, dst = ((SPI_OUT, self.key_out, gateway, peer) if direction == "out"
                              else (SPI_IN, self.key_in, peer, gateway))
        header = HEADER[self.outer](src=src, dst=dst) if self.mode == "tunnel" else None
        return SecurityAssociation(ESP, spi=spi, crypt_algo="NULL", crypt_key=b"", auth_algo="HMAC-SHA1-96",
                                   auth_key=key, tunnel_header=header, **how)


def packet(family, length, outbound=True, **how):
    """A UDP packet of `length` bytes between the hosts."""
    near, far = HOSTS[family] if outbound else HOSTS[family][::-1]
    head = HEADER[family](src=near, dst=far, **how) / UDP(sport=4000, dport=5000, chksum=0x1234)
    return HEADER[family](bytes(head / Raw(bytes(index & 255 for index in range(length - len(head))))))


def frame(ip, mac=GATE_MAC):
    return bytes(Ether(dst=mac, src=HOST_MAC) / ip)


def one_hop(ip):
    """The packet one router later."""
    ip = ip.copy()
    if ip.version == 4:
        ip.ttl -= 1
        del ip.chksum
    else:
        ip.hlim -= 1
    return bytes(ip)
