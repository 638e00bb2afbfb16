# SPDX-License-Identifier: BSD-3-Clause
"""A real Linux kernel takes what `gate96 export linux` prints, and `gate96 import linux --peer` makes of that kernel's
own listing the configuration that it came from."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parents[1]
sys.path[:0] = [str(TESTS / "judges"), str(TESTS / "interop"), str(TESTS.parent / "tools" / "labkit")]

import netns  # noqa: E402
from peer import Peer  # noqa: E402
from tap import Tap  # noqa: E402

CONFIG = """\
[gateway]
state_file = ""
[[port]]
name = "lan"
device = "null"
role = "protected"
addresses = ["10.1.0.1/24"]
[[port]]
name = "wan"
device = "null"
role = "unprotected"
addresses = ["192.0.2.1/24", "2001:db8::1/64"]
"""

SAS = [
    dict(name="out-1001", direction="out", spi=0x1001, mode="tunnel", src="192.0.2.1", dst="192.0.2.2"),
    dict(name="in-1002", direction="in", spi=0x1002, mode="tunnel", src="192.0.2.2", dst="192.0.2.1", replay_window=32),
    dict(name="out-80000003", direction="out", spi=0x80000003, mode="tunnel", src="2001:db8::1", dst="2001:db8::2"),
    dict(name="in-ffffffff", direction="in", spi=0xffffffff, mode="tunnel", src="2001:db8::2", dst="2001:db8::1",
         replay_window=4096),
    dict(name="out-1005", direction="out", spi=0x1005, mode="tunnel", src="192.0.2.1", dst="192.0.2.3", esn=True,
         udp_encap=dict(src_port=4500, dst_port=4501)),
    dict(name="in-1006", direction="in", spi=0x1006, mode="tunnel", src="192.0.2.3", dst="192.0.2.1", esn=True,
         udp_encap=dict(src_port=4501, dst_port=4500), replay_window=1024),
    dict(name="out-1007", direction="out", spi=0x1007, mode="transport", src="192.0.2.1", dst="192.0.2.4"),
    dict(name="in-1008", direction="in", spi=0x1008, mode="transport", src="192.0.2.4", dst="192.0.2.1"),
]

POLICIES = [
    dict(direction="out", priority=10, src="10.1.0.0/24", dst="10.2.0.0/24", protocol="tcp", dst_ports=80, sa="out-1001"),
    dict(direction="in", priority=10, src="10.2.0.0/24", dst="10.1.0.0/24", protocol="tcp", src_ports=80, sa="in-1002"),
    dict(direction="out", priority=20, src="2001:db8:1::/48", dst="2001:db8:2::/48", protocol="gre", sa="out-80000003"),
    dict(direction="in", priority=20, src="2001:db8:2::/48", dst="2001:db8:1::/48", protocol="gre", sa="in-ffffffff"),
    dict(direction="out", priority=30, src="10.1.0.0/24", dst="10.3.0.0/24", sa="out-1005"),
    dict(direction="in", priority=30, src="10.3.0.0/24", dst="10.1.0.0/24", sa="in-1006"),
    dict(direction="out", priority=40, src="192.0.2.1/32", dst="192.0.2.4/32", protocol="icmp", icmp_type=8, icmp_code=0,
         sa="out-1007"),
    dict(direction="in", priority=40, src="192.0.2.4/32", dst="192.0.2.1/32", protocol="icmp", icmp_type=0, icmp_code=0,
         sa="in-1008"),
]


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value)


def table(head, items):
    return f"[[{head}]]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in items.items())


def make_config(path):
    """Writes the configuration and returns the keys by SA."""
    keys = {sa["name"]: os.urandom(20).hex() for sa in SAS}
    text = CONFIG + "".join(table("sa", {**sa, "key": keys[sa["name"]]}) for sa in SAS)
    text += "".join(table("policy", {**policy, "action": "protect"}) for policy in POLICIES)
    path.write_text(text)
    path.chmod(0o600)
    return keys


def through_linux(tap, gate96, shim, config, listing):
    """Exports, lets the kernel take it and print it again."""
    space = f"g96export{os.getpid()}"
    done = subprocess.run([gate96, "export", "linux", "--with-keys", str(config)], capture_output=True, text=True)
    tap.equal("export succeeds", (done.returncode, done.stderr), (0, ""))
    netns.add(space)
    try:
        with Peer(space, "tp0", str(shim)) as peer:
            # Block by block: the peer's line holds 4096 bytes.
            said = [peer.run("set -e\n" + block, check=False).strip() for block in done.stdout.split("\n\n")]
            tap.equal("the kernel takes every command", [text for text in said if text], [])
            listing.write_text(peer.run("ip xfrm state") + peer.run("ip xfrm policy"))
    finally:
        netns.delete(space)


def without(items, *keys):
    return sorted(str(sorted((k, v) for k, v in item.items() if k not in keys)) for item in items)


def main(gate96, shim):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="gate96-export-") as name:
        directory = pathlib.Path(name)
        config, listing = directory / "gw.toml", directory / "listing"
        keys = make_config(config)
        through_linux(tap, gate96, shim, config, listing)
        done = subprocess.run([gate96, "import", "linux", "--peer", str(listing), "--keys", name], capture_output=True,
                              text=True)
        tap.equal("import succeeds, and leaves nothing out", (done.returncode, done.stderr), (0, ""))
        found = tomllib.loads(done.stdout)
        tap.equal("the SAs are the same", without(found["sa"], "key_file"), without(SAS))
        tap.equal("the policies are the same", without(found["policy"], "action"), without(POLICIES))
        files = {sa["name"]: pathlib.Path(sa["key_file"]) for sa in found["sa"]}
        tap.equal("the keys are the same", {n: f.read_text().strip() for n, f in files.items()}, keys)
        tap.equal("the key files are their owner's", {f.stat().st_mode & 0o777 for f in files.values()}, {0o600})
        (directory / "again.toml").write_text(done.stdout)
        done = subprocess.run([gate96, "check", str(directory / "again.toml")], capture_output=True, text=True)
        other = [line for line in done.stderr.splitlines() if "set gateway.state_file" not in line]
        tap.equal("the imported configuration is good, but for the state file that Linux has not", (done.returncode, other),
                  (0, []))
        done = subprocess.run([gate96, "import", "linux", "--peer", str(listing), "--keys", name], capture_output=True)
        tap.result("no key file is overwritten", done.returncode == 1 and b"File exists" in done.stderr, done.stderr)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
