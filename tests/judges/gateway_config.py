# SPDX-License-Identifier: BSD-3-Clause
"""The gateway that the judges question: one protected and one unprotected port, and any number of SAs."""
import json

LAN = "10.1.0"
REMOTE = "10.2.0"
OWN_WAN, PEER_WAN = "192.0.2.1", "192.0.2.2"
HOST, REMOTE_HOST = f"{LAN}.2", f"{REMOTE}.2"
HOST_MAC, PEER_MAC = "02:00:00:00:01:02", "02:00:00:00:02:02"

HEAD = f"""\
[gateway]
esp_fragments = "discard"
name = "judged"

[[port]]
name = "lan"
device = "null"
role = "protected"
addresses = ["{LAN}.1/24"]
neighbours = [{{ address = "{HOST}", mac = "{HOST_MAC}" }}]

[[port]]
name = "wan"
device = "null"
role = "unprotected"
addresses = ["{OWN_WAN}/24"]
neighbours = [{{ address = "{PEER_WAN}", mac = "{PEER_MAC}" }}]

[[route]]
to = "{REMOTE}.0/24"
via = "{PEER_WAN}"
port = "wan"
"""


def wire_text(name, protected, unprotected):
    """A gateway that is a bump in the wire between these two ports."""
    return f"""\
[gateway]
name = "{name}"

[[port]]
name = "{protected}"
device = "null"
role = "protected"

[[port]]
name = "{unprotected}"
device = "null"
role = "unprotected"

[[wire]]
protected = "{protected}"
unprotected = "{unprotected}"
"""


def sa_text(sa, direction, extra=""):
    """`extra`: further lines, each with its newline."""
    window = f"replay_window = {sa.window}\n" if direction == "in" else ""
    return f"""
[[sa]]
name = "{sa.name}"
direction = "{direction}"
spi = {sa.spi:#x}
mode = "tunnel"
src = "{sa.src}"
dst = "{sa.dst}"
key = "{sa.key.hex()}"
esn = {str(sa.esn).lower()}
{window}{extra}"""


def policy_text(direction, action, src=None, dst=None, protocol=None, src_ports=None, dst_ports=None, sa=None,
                priority=100):
    lines = ["", "[[policy]]", f'direction = "{direction}"', f"priority = {priority}", f'action = "{action}"']
    for key, value in (("src", src), ("dst", dst), ("protocol", protocol), ("src_ports", src_ports),
                       ("dst_ports", dst_ports), ("sa", sa)):
        if value is not None:
            lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"


def mirrored(config):
    """The same gateway at the other end: both sides' networks, addresses and MACs change places."""
    for one, other in ((LAN, REMOTE), (OWN_WAN, PEER_WAN), (HOST_MAC, PEER_MAC)):
        config = config.replace(one, "\0").replace(other, one).replace("\0", other)
    return config
