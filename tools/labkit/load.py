# SPDX-License-Identifier: BSD-3-Clause
"""iperf3 from one namespace to another, as numbers."""
import json
import subprocess
import time

import sites
from netns import LabError, inside, run

PORT = 5201
UDP_MBIT = 200
UDP_LEN = sites.HOST_MTU - 20 - 8    # bytes in a datagram that fills the host's MTU
SOCKET_BUFFER = 4 << 20              # bytes; smaller ones overflow at the receiver and look like loss on the way
START_SECONDS = 5


def allow_socket_buffers():
    """Raises the host-wide limits where they are lower; iperf3 may not ask for more than they allow."""
    for key in ("net.core.rmem_max", "net.core.wmem_max"):
        if int(run("sysctl", "-n", key)) < SOCKET_BUFFER:
            run("sysctl", "-qw", f"{key}={SOCKET_BUFFER}")


class Server:
    """iperf3 as a server for one test, listening once the context is entered."""

    def __init__(self, namespace):
        self._namespace = namespace
        self._process = None

    def __enter__(self):
        self._process = subprocess.Popen(inside(self._namespace, "iperf3", "-s", "-1", "-p", str(PORT)),
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + START_SECONDS
        while str(PORT) not in run(*inside(self._namespace, "ss", "-Hltn", f"sport = :{PORT}")):
            if self._process.poll() is not None or time.monotonic() > end:
                self.__exit__()
                raise LabError(f"iperf3 does not listen in {self._namespace}")
            time.sleep(0.02)
        return self

    def __exit__(self, *unused):
        self._process.terminate()
        self._process.wait()


def _rcvbuf_errors(namespace):
    """UDP datagrams that arrived and found the socket's buffer full."""
    names, values = [line.split() for line in run(*inside(namespace, "cat", "/proc/net/snmp")).splitlines()
                     if line.startswith("Udp:")]
    return int(values[names.index("RcvbufErrors")])


def run_client(namespace, address, seconds, *extra):
    done = subprocess.run(inside(namespace, "iperf3", "-c", address, "-p", str(PORT), "-t", str(seconds), "--json",
                                 "--connect-timeout", "5000", *extra),
                          capture_output=True, text=True, timeout=seconds + 30)
    try:
        result = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise LabError(f"iperf3 in {namespace}: {(done.stderr or done.stdout).strip()}") from None
    if "error" in result:
        raise LabError(f"iperf3 in {namespace}: {result['error']}")
    return result["end"]


def tcp(client, server, address, seconds):
    """One TCP stream from namespace `client` to `address` in namespace `server`."""
    with Server(server):
        end = run_client(client, address, seconds)
    return {"proto": "tcp", "seconds": seconds, "mbit": round(end["sum_received"]["bits_per_second"] / 1e6, 1),
            "retransmits": end["sum_sent"]["retransmits"]}


def udp(client, server, address, seconds, mbit=UDP_MBIT):
    """UDP at `mbit`; a sender that gets too little CPU offers less (offered_mbit). Loss at the receiver's own socket
    (rcvbuf_errors) is told apart from loss on the way."""
    allow_socket_buffers()
    before = _rcvbuf_errors(server)
    with Server(server):
        end = run_client(client, address, seconds, "-u", "-b", f"{mbit}M", "-l", str(UDP_LEN), "-w",
                      str(SOCKET_BUFFER))["sum"]

    def rate(packets):
        return round(packets * UDP_LEN * 8 / end["seconds"] / 1e6, 1)

    return {"proto": "udp", "seconds": seconds, "mbit": rate(end["packets"] - end["lost_packets"]),
            "offered_mbit": rate(end["packets"]), "sent": end["packets"], "lost": end["lost_packets"],
            "loss_percent": round(end["lost_percent"], 4), "rcvbuf_errors": _rcvbuf_errors(server) - before}


def iperf(proto, client, server, address, seconds):
    """tcp or udp, by name."""
    return {"tcp": tcp, "udp": udp}[proto](client, server, address, seconds)
