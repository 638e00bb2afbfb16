# SPDX-License-Identifier: BSD-3-Clause
"""Pings of more than fits into one ESP packet."""
import netns

LARGE_SIZES = (1472, 1473, 3000, 8000)  # bytes of ICMP payload: the first fills an IPv4 MTU of 1500
MTU = 1500
LARGEST_INSIDE = {(4, 4): 1458, (4, 6): 1438}  # (inner, outer), RFC 4303 without UDP: see tests/judges/judge_size.py


def patient(num):
    """Options of a ping of `num` packets, sent at once. It ends with the last answer, and waits for a late one as long
    as its interval of a second; else it would be twice the longest round trip, which is nothing on a busy machine."""
    return ["-c", str(num), "-l", str(num), "-i", "1"]


def ping(link, size, *extra):
    return ["ping", "-n", *patient(4), "-s", str(size), *extra, link.target()]


def search_mtu(link, size, hint):
    """The sender hears of the MTU after the first one, so one by one."""
    return ["ping", "-n", "-c", "4", "-i", "0.05", "-W", "2", "-s", str(size), "-M", hint, link.target()]


def check_large(tap, link, peer, host):
    """Without DF all gets there in pieces, both ways. IPv6's sender cuts, once it has been told the MTU."""
    if link.mode == "transport":  # ESP first, then fragments: each end puts ESP together
        for size in LARGE_SIZES:
            output = peer.run(" ".join(ping(link, size, "-M", "dont")), check=False)
            tap.result(f"{link}: ping with {size} bytes in fragments", " 0% packet loss" in output, output)
        return
    netns.run("ip", "-n", host, "link", "set", "eth0", "mtu", str(MTU))
    for size in LARGE_SIZES:
        if link.inner == 6:
            netns.run(*netns.inside(host, *search_mtu(link, size, "want")), check=False)
        output = netns.run(*netns.inside(host, *ping(link, size, "-M", "dont" if link.inner == 4 else "want")), check=False)
        tap.result(f"{link}: ping with {size} bytes in fragments", " 0% packet loss" in output, output)
    if link.inner == 4 and not link.encap:
        largest = LARGEST_INSIDE[link.inner, link.outer]
        output = netns.run(*netns.inside(host, *search_mtu(link, LARGE_SIZES[0], "do")), check=False)
        tap.result(f"{link}: with DF the host's kernel is told an MTU of {largest}",
                   f"mtu = {largest}" in output or f"mtu={largest}" in output, output)
