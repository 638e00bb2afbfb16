# SPDX-License-Identifier: BSD-3-Clause
"""One row of the interop table: addresses, gate96's configuration and the Linux peer's xfrm commands for it."""
import dataclasses
import secrets

ADDRESSES = {  # family: (LAN network, host, gateway on LAN, gateway on WAN, peer on WAN, peer inside, its network)
    4: ("10.96.1.0/24", "10.96.1.2/24", "10.96.1.1/24", "192.0.2.1/24", "192.0.2.2/24", "10.96.2.2/24",
        "10.96.2.0/24"),
    6: ("fd96:1::/64", "fd96:1::2/64", "fd96:1::1/64", "2001:db8:96::1/64", "2001:db8:96::2/64", "fd96:2::2/64",
        "fd96:2::/64"),
}
SPI_OUT, SPI_IN = 0x9601, 0x9602  # as the gateway sees it


def bare(address):
    return address.split("/")[0]


@dataclasses.dataclass(frozen=True)
class Link:
    """What is agreed between the gateway and the peer. `inner` and `outer` are IP versions."""
    inner: int = 4
    outer: int = 4
    mode: str = "tunnel"
    window: int = 64
    key_out: bytes = dataclasses.field(default_factory=lambda: secrets.token_bytes(20), repr=False)
    key_in: bytes = dataclasses.field(default_factory=lambda: secrets.token_bytes(20), repr=False)

    def __str__(self):
        return f"{self.mode} {self.inner}in{self.outer}, window {self.window}"

    def ends(self):
        """The tunnel's ends: gateway, peer."""
        _, _, _, gateway, peer, _, _ = ADDRESSES[self.outer]
        return bare(gateway), bare(peer)

    def gateway_config(self, name, control):
        lan, host, lan_gateway, _, _, _, far = ADDRESSES[self.inner]
        wan = {ADDRESSES[self.inner][3], ADDRESSES[self.outer][3]}
        gateway, peer = self.ends()
        return f"""\
[gateway]
name = "{name}"
control = "{control}"

[[port]]
name = "lan"
device = "af_packet:lan"
role = "protected"
addresses = ["{lan_gateway}"]

[[port]]
name = "wan"
device = "af_packet:wan"
role = "unprotected"
addresses = [{", ".join(f'"{address}"' for address in sorted(wan))}]

[[route]]
to = "{far}"
via = "{bare(ADDRESSES[self.inner][4])}"
port = "wan"

{self._sa("out", SPI_OUT, gateway, peer, self.key_out)}
{self._sa("in", SPI_IN, peer, gateway, self.key_in)}
[[policy]]
direction = "out"
src = "{lan}"
dst = "{far}"
action = "protect"
sa = "out"

[[policy]]
direction = "in"
src = "{far}"
dst = "{lan}"
action = "protect"
sa = "in"
"""

    def _sa(self, direction, spi, src, dst, key):
        window = f"replay_window = {self.window}\n" if direction == "in" else ""
        return f"""\
[[sa]]
name = "{direction}"
direction = "{direction}"
spi = {spi:#x}
mode = "{self.mode}"
src = "{src}"
dst = "{dst}"
key = "{key.hex()}"
{window}"""

    def peer_commands(self):
        """Shell commands for the guest. For Linux, out and in are the other way round."""
        lan, _, _, _, _, inside, far = ADDRESSES[self.inner]
        gateway, peer = self.ends()
        addresses = {ADDRESSES[self.inner][4], ADDRESSES[self.outer][4]}
        lines = [f"ip address add {address} dev eth0" for address in sorted(addresses)]
        lines += [f"ip address add {inside} dev inside",
                  f"ip route add {lan} via {bare(ADDRESSES[self.inner][3])} dev eth0 src {bare(inside)}",
                  self._state(gateway, peer, SPI_OUT, self.key_out), self._state(peer, gateway, SPI_IN, self.key_in)]
        template = f"tmpl src {{}} dst {{}} proto esp mode {self.mode}"
        lines += [f"ip xfrm policy add src {far} dst {lan} dir out {template.format(peer, gateway)}",
                  f"ip xfrm policy add src {lan} dst {far} dir in {template.format(gateway, peer)}"]
        return "set -e\n" + "\n".join(lines)

    def _state(self, src, dst, spi, key):
        return (f"ip xfrm state add src {src} dst {dst} proto esp spi {spi:#x} mode {self.mode} "
                f"replay-window {min(self.window, 32)} auth-trunc 'hmac(sha1)' 0x{key.hex()} 96 "
                "enc 'ecb(cipher_null)' ''")
