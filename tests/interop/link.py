# SPDX-License-Identifier: BSD-3-Clause
"""One row of the interop table: addresses, gate96's configuration and the Linux peer's xfrm commands for it."""
import dataclasses
import pathlib
import secrets

HERE = pathlib.Path(__file__).resolve().parent

ADDRESSES = {  # family: (LAN network, host, gateway on LAN, gateway on WAN, peer on WAN, peer inside, its network)
    4: ("10.96.1.0/24", "10.96.1.2/24", "10.96.1.1/24", "192.0.2.1/24", "192.0.2.2/24", "10.96.2.2/24",
        "10.96.2.0/24"),
    6: ("fd96:1::/64", "fd96:1::2/64", "fd96:1::1/64", "2001:db8:96::1/64", "2001:db8:96::2/64", "fd96:2::2/64",
        "fd96:2::/64"),
}
UDP_PORT = 4500
SPI_OUT, SPI_IN = 0x9601, 0x9602  # as the gateway sees it


# What the row before has left in the guest.
FORGET = """\
[ ! -e /run/encap.pid ] || { kill $(cat /run/encap.pid); rm /run/encap.pid; }
ip xfrm policy flush; ip xfrm state flush
for dev in eth0 inside; do ip address flush dev $dev scope global; done
ip route flush cache; ip -6 route flush cache; ip neighbour flush dev eth0"""

CONFIG = """\
[gateway]
name = "{name}"
control = "{control}"

[[port]]
name = "lan"
device = "af_packet:lan"
role = "protected"
addresses = ["{lan}"]

[[port]]
name = "wan"
device = "af_packet:wan"
role = "unprotected"
addresses = [{wan}]

[[route]]
to = "{far}"
via = "{via}"
port = "wan"

{sa_out}
{sa_in}
[[policy]]
direction = "out"
src = "{near_side}"
dst = "{far_side}"
action = "protect"
sa = "out"

[[policy]]
direction = "in"
src = "{far_side}"
dst = "{near_side}"
action = "protect"
sa = "in"
"""


def bare(address):
    return address.split("/")[0]


@dataclasses.dataclass(frozen=True)
class Link:
    """What is agreed between the gateway and the peer. `inner` and `outer` are IP versions."""
    inner: int = 4
    outer: int = 4
    mode: str = "tunnel"
    esn: bool = False
    encap: bool = False    # ESP in UDP, port 4500 (RFC 3948)
    window: int = 64
    start: int = 1         # first sequence number, both ways
    key_out: bytes = dataclasses.field(default_factory=lambda: secrets.token_bytes(20), repr=False)
    key_in: bytes = dataclasses.field(default_factory=lambda: secrets.token_bytes(20), repr=False)

    def __str__(self):
        extra = (", ESN" if self.esn else "") + (", in UDP" if self.encap else "")
        extra += f", from {self.start:#x}" if self.start > 1 else ""
        return f"{self.mode} {self.inner}in{self.outer}, window {self.window}{extra}"

    def key(self):
        """What tells rows apart."""
        return dataclasses.astuple(self)[:-2]

    def ends(self):
        """The tunnel's ends: gateway, peer."""
        _, _, _, gateway, peer, _, _ = ADDRESSES[self.outer]
        return bare(gateway), bare(peer)

    def target(self):
        """What the host pings through the tunnel; in transport mode there is no host, only the SA's own ends."""
        return bare(ADDRESSES[self.inner][5]) if self.mode == "tunnel" else self.ends()[0]

    def selectors(self):
        """(gateway's side, peer's side) of the traffic to protect."""
        return (ADDRESSES[self.inner][0], ADDRESSES[self.inner][6]) if self.mode == "tunnel" else self.ends()

    def gateway_config(self, name, control):
        _, _, lan_gateway, _, _, _, far = ADDRESSES[self.inner]
        wan = sorted({ADDRESSES[self.inner][3], ADDRESSES[self.outer][3]})
        (gateway, peer), (near_side, far_side) = self.ends(), self.selectors()
        return CONFIG.format(
            name=name, control=control, lan=lan_gateway, wan=", ".join(f'"{address}"' for address in wan), far=far,
            via=bare(ADDRESSES[self.inner][4]), near_side=near_side, far_side=far_side,
            sa_out=self._sa("out", SPI_OUT, gateway, peer, self.key_out),
            sa_in=self._sa("in", SPI_IN, peer, gateway, self.key_in))

    def _sa(self, direction, spi, src, dst, key):
        lines = ["[[sa]]", f'name = "{direction}"', f'direction = "{direction}"', f"spi = {spi:#x}",
                 f'mode = "{self.mode}"', f'src = "{src}"', f'dst = "{dst}"', f'key = "{key.hex()}"']
        if direction == "in":
            lines.append(f"replay_window = {self.window}")
        if self.esn:
            lines.append("esn = true")
        if self.start > 1:
            lines.append(f"seq_start = {self.start}")
        if self.encap:
            lines.append(f"udp_encap = {{ src_port = {UDP_PORT}, dst_port = {UDP_PORT} }}")
        return "\n".join(lines) + "\n"

    def peer_commands(self):
        """Shell commands for the guest. For Linux, out and in are the other way round."""
        lan, _, _, near_wan, _, inside, _ = ADDRESSES[self.inner]
        (gateway, peer), (near_side, far_side) = self.ends(), self.selectors()
        addresses = sorted({ADDRESSES[self.inner][4], ADDRESSES[self.outer][4]})
        no_ipv6 = 0 if 6 in (self.inner, self.outer) else 1
        lines = [FORGET, "set -e", f"sysctl -qw net.ipv6.conf.eth0.disable_ipv6={no_ipv6}", *(f"ip address add {address} dev eth0" for address in addresses),
                 f"ip address add {inside} dev inside",
                 f"ip route replace {lan} via {bare(near_wan)} dev eth0 src {bare(inside)}",
                 self._state(gateway, peer, SPI_OUT, self.key_out), self._state(peer, gateway, SPI_IN, self.key_in)]
        if self.encap:
            lines.append(f"setsid /usr/bin/python3 {HERE}/encap_socket.py {UDP_PORT} </dev/null >/dev/null 2>&1 &\n"
                         f"echo $! >/run/encap.pid\n"
                         f"until [ $(ss -Huln | grep -c :{UDP_PORT}) = 2 ]; do sleep 0.05; done")
        for direction, src, dst, ends in (("out", far_side, near_side, (peer, gateway)),
                                          ("in", near_side, far_side, (gateway, peer))):
            lines.append(f"ip xfrm policy add src {src} dst {dst} dir {direction} priority 10 tmpl src {ends[0]} dst {ends[1]} "
                         f"proto esp mode {self.mode}")
        if self.mode == "transport":
            lines += self._exemptions(gateway, peer)
        return "\n".join(lines)

    def _exemptions(self, gateway, peer):
        """What Linux would judge by the SA's own policy although it cannot be in the SA: neighbour discovery between
        its ends, and the UDP datagram before ESP is taken out of it."""
        exempt = [f"proto ipv6-icmp type {kind}" for kind in (135, 136)] if self.outer == 6 else []
        if self.encap:
            exempt.append(f"proto udp dport {UDP_PORT}")
        return [f"ip xfrm policy add src {src} dst {dst} {what} dir {direction} priority 1 action allow"
                for what in exempt for direction, src, dst in (("in", gateway, peer), ("out", peer, gateway))]

    def _numbers(self):
        """For Linux, the last numbers received and sent."""
        high, low = divmod(self.start - 1, 1 << 32)
        text = f"replay-seq {low:#x} replay-oseq {low:#x} " if self.start > 1 else ""
        return text + (f"replay-seq-hi {high:#x} replay-oseq-hi {high:#x} " if self.start > 1 and self.esn else "")

    def _state(self, src, dst, spi, key):
        flags = ["esn"] * self.esn + ["af-unspec"] * (self.inner != self.outer)
        flag = f"flag {' '.join(flags)} " if flags else ""
        encap = f" encap espinudp {UDP_PORT} {UDP_PORT} {'::' if self.outer == 6 else '0.0.0.0'}" if self.encap else ""
        return (f"ip xfrm state add src {src} dst {dst} proto esp spi {spi:#x} mode {self.mode} "
                f"{flag}replay-window {self.window} {self._numbers()}auth-trunc 'hmac(sha1)' 0x{key.hex()} 96 "
                f"enc 'ecb(cipher_null)' ''{encap}")
