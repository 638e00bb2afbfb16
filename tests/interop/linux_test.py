# SPDX-License-Identifier: BSD-3-Clause
"""gate96 and a real Linux kernel as the two ends of an SA pair: ping and iperf3, row by row.

host (namespace) --veth-- gateway (namespace) --tap-- user-mode Linux with an address behind it
"""
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools" / "labkit"), str(HERE.parent / "judges")]

import load  # noqa: E402
import netns  # noqa: E402
from gateway import Gateway  # noqa: E402
from link import ADDRESSES, Link, bare  # noqa: E402
from peer import Peer  # noqa: E402
from tap import Tap  # noqa: E402

NAME = f"g96interop{os.getpid()}"
HOST, GATE = f"{NAME}-host", f"{NAME}-gate"
HOST_MTU = 1400
PING_SIZES = (0, 1, 2, 3, 56, 1000)  # bytes of ICMP payload
HEADERS = {4: 28, 6: 48}  # of an echo request: IP and ICMP

LINKS = [
    *(Link(inner, outer, esn=esn, window=window) for inner, outer in ((4, 4), (6, 4), (4, 6), (6, 6))
      for esn, window in ((False, 32), (True, 4096))),
    *(Link(family, family, "transport", esn=esn) for family in (4, 6) for esn in (False, True)),
    Link(encap=True), Link(6, 4, encap=True), Link(6, 6, encap=True), Link(mode="transport", encap=True),
]


def wire(link):
    """The namespaces; the gateway's WAN is the tap that the peer makes."""
    for space in (HOST, GATE):
        netns.add(space)
    netns.veth((HOST, "eth0"), (GATE, "lan"))
    netns.bare(GATE, "lan")
    _, host, gateway, *_ = ADDRESSES[link.inner]
    netns.host(HOST, "eth0", host, bare(gateway), HOST_MTU)


def errors_of(peer):
    """The guest's xfrm error counters that are not 0."""
    counters = dict(line.split() for line in peer.run("cat /proc/net/xfrm_stat").splitlines())
    return {name: int(value) for name, value in counters.items() if int(value)}


def check_ping(tap, link, peer):
    """Tunnel: from the host to what is behind the peer. Transport: from the peer to the gateway itself."""
    for size in (*PING_SIZES, HOST_MTU - HEADERS[link.inner]):
        command = ["ping", "-n", "-c", "3", "-i", "0.05", "-W", "2", "-s", str(size), link.target()]
        output = (netns.run(*netns.inside(HOST, *command), check=False) if link.mode == "tunnel"
                  else peer.run(" ".join(command), check=False))
        tap.result(f"{link}: ping with {size} bytes", " 0% packet loss" in output, output)


def check_iperf(tap, link, peer):
    for way, extra in (("to", ()), ("from", ("-R",))):
        # One server a run: between two runs of the same server there is a moment when nobody listens.
        peer.run("iperf3 -s -1 -D >/dev/null 2>&1; until ss -Hltn | grep -q :5201; do sleep 0.05; done")
        end = load.run_client(HOST, link.target(), 1, *extra)
        tap.result(f"{link}: iperf3 {way} the peer for 1 s", end["sum_received"]["bytes"] > 1 << 20, end)


def check_counters(tap, link, peer, gateway):
    counters = gateway.show("counters")
    drops = dict(counters["drops"])
    if 6 in (link.inner, link.outer):  # multicast listener reports of hosts, which no policy lets through
        for reason in ("no_policy", "ip_source", "ip_multicast"):
            drops.pop(reason, None)
    tap.equal(f"{link}: the gateway dropped nothing", drops, {})
    tap.equal(f"{link}: the gateway's accounts balance", counters["balance"], 0)
    tap.result(f"{link}: every packet was ESP", min(counters["esp_in"], counters["esp_out"]) >= 3 * len(PING_SIZES),
               counters)
    tap.equal(f"{link}: the peer's kernel counted no error", errors_of(peer), {})


def check(tap, link, shim):
    with tempfile.TemporaryDirectory(prefix="gate96-interop-") as directory:
        config = pathlib.Path(directory, "gate.toml")
        gateway = Gateway(GATE, config)
        config.touch(mode=0o600)
        config.write_text(link.gateway_config(NAME, gateway.control))
        try:
            wire(link)
            with Peer(GATE, "wan", shim) as peer:
                netns.bare(GATE, "wan")
                peer.run(link.peer_commands())
                gateway.start()
                try:
                    check_ping(tap, link, peer)
                    if link.mode == "tunnel":
                        check_iperf(tap, link, peer)
                    check_counters(tap, link, peer, gateway)
                finally:
                    gateway.stop()
        finally:
            for space in (HOST, GATE):
                netns.end_processes(space)
                netns.delete(space)


def main():
    tap = Tap()
    os.environ["GATE96"], shim = sys.argv[1], os.path.abspath(sys.argv[2])
    netns.require_root()
    for link in LINKS:
        try:
            check(tap, link, shim)
        except netns.LabError as error:
            tap.result(f"{link}", False, error)
    return tap.finish()


sys.exit(main())
