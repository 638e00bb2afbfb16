# SPDX-License-Identifier: BSD-3-Clause
"""gate96 and a real Linux kernel as the two ends of an SA pair, row by row: pings of all sizes, iperf3, and what both
must refuse.

host (namespace) --veth-- gateway (namespace) --tap-- user-mode Linux with an address behind it
"""
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools" / "labkit"), str(HERE.parent / "judges")]

import large  # noqa: E402
import load  # noqa: E402
import netns  # noqa: E402
import refusals  # noqa: E402
from gateway import Gateway  # noqa: E402
from link import ADDRESSES, Link, bare  # noqa: E402
from peer import Peer  # noqa: E402
from tap import Tap  # noqa: E402

NAME = f"g96interop{os.getpid()}"
HOST, GATE = f"{NAME}-host", f"{NAME}-gate"
HOST_MTU = 1400
PING_SIZES = (0, 1, 2, 3, 56, 1000)  # bytes of ICMP payload
HEADERS = {4: 28, 6: 48}  # of an echo request: IP and ICMP

K32 = 1 << 32
FAMILIES = ((4, 4), (6, 4), (4, 6), (6, 6))

LINKS = [
    *(Link(inner, outer, esn=esn, window=window) for inner, outer in FAMILIES for esn, window in ((False, 32), (True, 4096))),
    *(Link(esn=esn, window=window) for window in (32, 64, 128, 1024, 4096) for esn in (False, True)
      if (esn, window) not in ((False, 32), (True, 4096))),
    *(Link(family, family, "transport", esn=esn) for family in (4, 6) for esn in (False, True)),
    *(Link(inner, outer, encap=True) for inner, outer in FAMILIES),
    *(Link(family, family, "transport", encap=True) for family in (4, 6)),
    Link(esn=True, encap=True),
    *(Link(family, family, mode, esn=True, start=K32 - 10) for mode in ("tunnel", "transport") for family in (4, 6)),
    Link(esn=True, start=5 * K32 + 7), Link(start=K32 - 200, window=32),
]
IPERF = {Link(inner, outer, window=32).key() for inner, outer in FAMILIES} | {
    Link(esn=True, window=4096).key(), Link(encap=True).key(), Link(6, 6, encap=True).key()}


def wire(link):
    """The host and its link to the gateway, whose WAN is the tap that the peer makes."""
    netns.add(HOST)
    netns.veth((HOST, "eth0"), (GATE, "lan"))
    netns.bare(GATE, "lan")
    _, host, gateway, *_ = ADDRESSES[link.inner]
    netns.host(HOST, "eth0", host, bare(gateway), HOST_MTU)


def errors_of(peer):
    """The guest's xfrm error counters."""
    counters = dict(line.split() for line in peer.run("cat /proc/net/xfrm_stat").splitlines())
    return {name: int(value) for name, value in counters.items()}


def ping(tap, link, peer, size, name):
    """Tunnel: from the host to what is behind the peer. Transport: from the peer to the gateway itself."""
    command = ["ping", "-n", *large.patient(3), "-s", str(size), link.target()]
    output = (netns.run(*netns.inside(HOST, *command), check=False) if link.mode == "tunnel"
              else peer.run(" ".join(command), check=False))
    tap.result(f"{link}: {name}", " 0% packet loss" in output, output)


def check_ping(tap, link, peer):
    # Linux 6.1 drops ESP over IPv6 whose UDP header tells of less than 48 bytes (net/ipv6/xfrm6_input.c asks for 40
    # bytes of IP header that are off already). Inside a tunnel there is never so little.
    least = 7 if link.encap and (link.outer, link.mode) == (6, "transport") else 0
    for size in (*(max(size, least) for size in PING_SIZES), HOST_MTU - HEADERS[link.inner]):
        ping(tap, link, peer, size, f"ping with {size} bytes")


def check_iperf(tap, link, peer):
    for way, extra in (("to", ()), ("from", ("-R",))):
        # One server a run: between two runs of the same server there is a moment when nobody listens.
        peer.run("iperf3 -s -1 -D >/dev/null 2>&1; until ss -Hltn | grep -q :5201; do sleep 0.05; done")
        end = load.run_client(HOST, link.target(), 1, *extra)
        tap.result(f"{link}: iperf3 {way} the peer for 1 s", end["sum_received"]["bytes"] > 1 << 20, end)


def check_numbers(tap, link, gateway):
    """Both ways beyond 2^32, if that is where the row was to go."""
    if link.start < K32 <= link.start + 2 * len(PING_SIZES) and link.esn:
        seqs = {sa["direction"]: sa["seq"] for sa in gateway.show("sa")["sas"]}
        tap.result(f"{link}: both numbers have crossed 2^32", min(seqs.values()) > K32, seqs)


def check_counters(tap, link, peer, gateway, errors_before, expected=()):
    """`expected`: reasons for which the gateway was made to drop packets."""
    counters = gateway.show("counters")
    drops = {reason: count for reason, count in counters["drops"].items() if reason not in expected}
    if 6 in (link.inner, link.outer):  # multicast listener reports of hosts, which no policy lets through
        for reason in ("no_policy", "ip_source", "ip_multicast"):
            drops.pop(reason, None)
    tap.equal(f"{link}: the gateway dropped nothing", drops, {})
    tap.equal(f"{link}: the gateway's accounts balance", counters["balance"], 0)
    tap.result(f"{link}: every packet was ESP", min(counters["esp_in"], counters["esp_out"]) >= 3 * len(PING_SIZES),
               counters)
    tap.equal(f"{link}: the peer's kernel counted no error", errors_of(peer), errors_before)


def check(tap, link, peer):
    with tempfile.TemporaryDirectory(prefix="gate96-interop-") as directory:
        config = pathlib.Path(directory, "gate.toml")
        gateway = Gateway(GATE, config)
        config.touch(mode=0o600)
        config.write_text(link.gateway_config(NAME, gateway.control))
        peer.run(link.peer_commands())
        errors_before = errors_of(peer)
        gateway.start()
        try:
            check_ping(tap, link, peer)
            check_numbers(tap, link, gateway)
            if link.key() in IPERF:
                check_iperf(tap, link, peer)
            if link.window <= 64:  # the rows of larger windows are about those
                large.check_large(tap, link, peer, HOST)
            check_counters(tap, link, peer, gateway, errors_before, expected=("too_big",))
            refusals.check_gateway(tap, link, peer, gateway, GATE)
            refusals.check_kernel(tap, link, peer, GATE)
            ping(tap, link, peer, 56, "traffic goes on after what was refused")
        finally:
            gateway.stop()


def run(tap, shim):
    """One boot of the peer for all rows; another if a row has upset it."""
    netns.add(GATE)
    peer = None
    try:
        for link in LINKS:
            try:
                if peer is None:
                    peer = Peer(GATE, "wan", shim)
                    netns.bare(GATE, "wan")
                wire(link)
                check(tap, link, peer)
            except netns.LabError as error:
                tap.result(f"{link}", False, error)
                if peer is not None:
                    peer.stop()
                    netns.run("ip", "-n", GATE, "link", "delete", "wan", check=False)
                    peer = None
            finally:
                netns.end_processes(HOST)
                netns.delete(HOST)
    finally:
        if peer is not None:
            peer.stop()
        netns.end_processes(GATE)
        netns.delete(GATE)


def main():
    tap = Tap()
    os.environ["GATE96"], shim = sys.argv[1], os.path.abspath(sys.argv[2])
    netns.require_root()
    run(tap, shim)
    return tap.finish()


sys.exit(main())
