# SPDX-License-Identifier: BSD-3-Clause
"""Network namespaces and veth pairs, through ip(8)."""
import json
import os
import signal
import subprocess


class LabError(Exception):
    """Something that the user should read as it is."""


def require_root():
    if os.geteuid() != 0:
        raise LabError("network namespaces need root: run it with sudo")


def run(*command, check=True):
    """Runs a command and returns what it printed. With `check`, a failure raises with its error text."""
    done = subprocess.run(command, capture_output=True, text=True)
    if check and done.returncode != 0:
        raise LabError(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def inside(namespace, *command):
    """The same command, to be run in a namespace."""
    return ["ip", "netns", "exec", namespace, *command]


def exists(namespace):
    return os.path.exists(f"/run/netns/{namespace}")


def add(namespace):
    run("ip", "netns", "add", namespace)
    run("ip", "-n", namespace, "link", "set", "lo", "up")


def delete(namespace):
    """Removes a namespace with all its links; no error if it is not there."""
    run("ip", "netns", "delete", namespace, check=False)


def end_processes(namespace):
    """Ends what still runs in a namespace of ours, such as the iperf3 of an interrupted run."""
    for pid in run("ip", "netns", "pids", namespace, check=False).split():
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            pass


def veth(end, other):
    """Joins two (namespace, interface) ends by a veth pair."""
    run("ip", "-n", end[0], "link", "add", end[1], "type", "veth", "peer", "name", other[1], "netns", other[0])


def bare(namespace, interface):
    """Makes an interface fit for gate96: up, without addresses, without IPv6 of the kernel's own."""
    no_ipv6(namespace, interface)
    offloads_off(namespace, interface)
    run("ip", "-n", namespace, "link", "set", interface, "up")


def host(namespace, interface, address, gateway, mtu):
    """Makes an interface a host's: an address, a default route, a small MTU, real checksums on the wire."""
    offloads_off(namespace, interface)
    is_ipv6 = ":" in address
    if not is_ipv6:
        no_ipv6(namespace, interface)
    run("ip", "-n", namespace, "address", "add", address, "dev", interface, *(["nodad"] if is_ipv6 else []))
    run("ip", "-n", namespace, "link", "set", interface, "mtu", str(mtu), "up")
    run("ip", "-n", namespace, "route", "add", "default", "via", gateway)


def no_ipv6(namespace, interface):
    run(*inside(namespace, "sysctl", "-qw", f"net.ipv6.conf.{interface}.disable_ipv6=1"))


def offloads_off(namespace, interface):
    """veth otherwise hands over partial checksums and 64-KB frames, which no wire would carry."""
    run(*inside(namespace, "ethtool", "-K", interface, "tx", "off", "rx", "off", "sg", "off", "tso", "off", "gso",
                "off", "gro", "off"))


def statistics(namespace, interface):
    """The kernel's counters of an interface: rx_packets, tx_packets, rx_dropped and so on."""
    text = run("ip", "-n", namespace, "-s", "-j", "link", "show", interface)
    stats = json.loads(text)[0]["stats64"]
    return {f"{way}_{key}": value for way, keys in stats.items() for key, value in keys.items()}
