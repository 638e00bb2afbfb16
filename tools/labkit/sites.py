# SPDX-License-Identifier: BSD-3-Clause
"""The two sites of the lab, and the configuration files of their gateways."""
import dataclasses
import json
import os
import secrets

KEY_LEN = 20  # bytes (RFC 2404 3)
HOST_MTU = 1400
WAN_MTU = 1500


@dataclasses.dataclass(frozen=True)
class Site:
    """Addresses of one site; the other is its mirror image."""
    name: str      # "a" or "b"
    lan: str       # protected network, less its last byte
    wan: str       # address on the WAN
    spi: int       # of the SA that leaves this site

    @property
    def host_address(self):
        return f"{self.lan}.2"

    @property
    def gateway_address(self):
        return f"{self.lan}.1"

    @property
    def network(self):
        return f"{self.lan}.0/24"


SITE_A = Site("a", "10.96.1", "192.0.2.1", 0x9601)
SITE_B = Site("b", "10.96.2", "192.0.2.2", 0x9602)

TEMPLATE = """\
# Site {site.name} of the lab; written by tools/lab.
[gateway]
name = "{gateway}"
control = "{control}"
backend = "{backend}"
state_file = ""   # none: every start of the lab has new keys

[eal]
hugepages = {hugepages}

[[port]]
name = "lan"
device = "{devices[0]}"
role = "protected"
addresses = ["{site.gateway_address}/24"]

[[port]]
name = "wan"
device = "{devices[1]}"
role = "unprotected"
addresses = ["{site.wan}/24"]
mtu = {wan_mtu}

[[route]]
to = "{other.network}"
via = "{other.wan}"
port = "wan"

[[sa]]
name = "to-{other.name}"
direction = "out"
spi = {site.spi:#x}
mode = "tunnel"
src = "{site.wan}"
dst = "{other.wan}"
key_file = "{directory}/key-{site.name}"

[[sa]]
name = "from-{other.name}"
direction = "in"
spi = {other.spi:#x}
mode = "tunnel"
src = "{other.wan}"
dst = "{site.wan}"
key_file = "{directory}/key-{other.name}"

[[policy]]
direction = "out"
priority = 10
src = "{site.network}"
dst = "{other.network}"
{action_out}

[[policy]]
direction = "in"
priority = 10
src = "{other.network}"
dst = "{site.network}"
{action_in}
"""


def write_keys(directory):
    """A new random key for each direction, readable by its owner only."""
    for site in (SITE_A, SITE_B):
        descriptor = os.open(directory / f"key-{site.name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w") as file:
            file.write(secrets.token_hex(KEY_LEN) + "\n")


def write_config(directory, lab, site, devices, backend, bypass, fpu):
    """Writes and returns DIRECTORY/site-X.toml. The gateway's name, and so its DPDK prefix, is the lab's own.
    devices: port.device of LAN and WAN."""
    other = SITE_B if site is SITE_A else SITE_A
    path = directory / f"site-{site.name}.toml"
    protect = ['action = "bypass"'] * 2 if bypass else [
        f'action = "protect"\nsa = "to-{other.name}"', f'action = "protect"\nsa = "from-{other.name}"']
    fpu_lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in fpu.items())
    path.write_text(TEMPLATE.format(
        site=site, other=other, gateway=f"{lab}-{site.name}", control=path.with_suffix(".sock"), backend=backend,
        wan_mtu=WAN_MTU, devices=devices, hugepages="true" if devices[0].startswith("pci:") else "false",
        directory=directory, action_out=protect[0], action_in=protect[1])
                    + (f"\n[fpu]\n{fpu_lines}" if fpu_lines else ""))
    return path
