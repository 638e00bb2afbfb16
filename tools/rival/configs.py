# SPDX-License-Identifier: BSD-3-Clause
"""The same tunnels, policies and routes in gate96's words and in ipsec-secgw's."""
from traffic import FAR_NET, FAR_WAN, FIRST_SPI, NEAR_HOST, NEAR_NET, NEAR_WAN, far_host, key

NEAR_MAC, FAR_MAC = "02:00:00:00:01:02", "02:00:00:00:02:02"


def gate96(name, folder, direction, num_sas, devices, sends_in=False):
    """A gateway of one worker, window 0 (the capture repeats its numbers). `sends_in`: the far one, which seals what
    comes in here."""
    ours, peer = (FAR_WAN, NEAR_WAN) if sends_in else (NEAR_WAN, FAR_WAN)
    sa_direction = "out" if sends_in else direction
    src, dst = (ours, peer) if sa_direction == "out" else (peer, ours)
    far_is = "dst" if direction == "out" else "src"
    text = f"""[gateway]
name = "{name}"
control = "{folder}/{name}.sock"
idle = "poll"

[eal]
memory_mb = 1024

[[port]]
name = "lan"
role = "protected"
device = "{devices[0]}"
addresses = ["10.1.0.1/24"]
neighbours = [{{ address = "{NEAR_HOST}", mac = "{NEAR_MAC}" }}]

[[port]]
name = "wan"
role = "unprotected"
device = "{devices[1]}"
addresses = ["{ours}/24"]
neighbours = [{{ address = "{peer}", mac = "{FAR_MAC}" }}]

[[route]]
to = "10.0.0.0/8"
via = "{peer}"
port = "wan"
"""
    for sa in range(num_sas):
        text += f"""
[[sa]]
name = "sa{sa}"
direction = "{sa_direction}"
spi = {FIRST_SPI + sa}
mode = "tunnel"
src = "{src}"
dst = "{dst}"
key = "{key(sa).hex()}"
replay_window = 0

[[policy]]
direction = "{sa_direction}"
{far_is} = "{far_host(sa)}"
action = "protect"
sa = "sa{sa}"
"""
    return text


def secgw(direction, num_sas):
    """Ports as gate96's: 0 protected, 1 unprotected."""
    lines = [f"rt ipv4 dst {NEAR_NET} port 0", f"rt ipv4 dst {FAR_NET} port 1", "rt ipv4 dst 192.0.2.0/24 port 1",
             f"neigh port 0 {NEAR_MAC}", f"neigh port 1 {FAR_MAC}"]
    for sa in range(num_sas):
        lines += secgw_sa(direction, sa)
    # It wants an SA each way before it takes an unprotected port.
    lines += secgw_sa("in" if direction == "out" else "out", num_sas)
    return "\n".join(lines) + "\n"


def secgw_sa(direction, sa):
    spi = FIRST_SPI + sa
    src, dst = (NEAR_WAN, FAR_WAN) if direction == "out" else (FAR_WAN, NEAR_WAN)
    far_is = "dst" if direction == "out" else "src"
    return [f"sp ipv4 {direction} esp protect {spi} pri 1 {far_is} {far_host(sa)}/32 sport 0:65535 dport 0:65535",
            f"sa {direction} {spi} cipher_algo null auth_algo sha1-hmac auth_key {key(sa).hex(':')} "
            f"mode ipv4-tunnel src {src} dst {dst}"]
