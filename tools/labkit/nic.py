# SPDX-License-Identifier: BSD-3-Clause
"""tools/nic: ping and iperf3 through a gateway whose ports are a real kind of NIC, taken over from the kernel.

pci: site A runs in a QEMU guest in software emulation, with hugepages, on two NICs bound to uio_pci_generic; site B
runs here. The guest's kernel is Debian's, downloaded once (70 MB) to ~/.cache/gate96/kernels and never installed.
Slow by nature: it shows that the ports work, not how fast. For XDP sockets: tools/lab up --device af_xdp.
"""
import argparse
import re
import subprocess
import sys

import accounts
import guest
import load
import netns
import sites
from netns import LabError
from pci_lab import PciLab
from results import write_json
from terminal import print_accounts, progress, table

PINGS = 5
UDP_MBIT = 5  # the guest's emulated CPUs must keep up


def parse():
    parser = argparse.ArgumentParser(prog="tools/nic", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["pci"])
    parser.add_argument("--nic", choices=guest.NICS, default=guest.NICS[0], help="QEMU's device (default %(default)s)")
    parser.add_argument("--seconds", type=int, default=5, help="of each iperf3 run (default %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the result here")
    return parser.parse_args()


def ping(lab):
    progress(f"{PINGS} pings")
    done = subprocess.run(netns.inside(lab.host_a, "ping", "-q", "-c", str(PINGS), "-i", "0.5", "-W", "5",
                                       sites.SITE_B.host_address), capture_output=True, text=True)
    received = re.search(r"(\d+) received", done.stdout)
    rtt = re.search(r"= [\d.]+/([\d.]+)/", done.stdout)
    if not received:
        raise LabError(f"ping: {done.stderr or done.stdout}")
    return {"pings": PINGS, "pings_answered": int(received[1]), "ping_ms": float(rtt[1]) if rtt else None}


def measure(lab, seconds):
    result = {"nic": lab.nic, "kernel": lab.kernel.version} | ping(lab)
    ends = (lab.host_a, lab.host_b, sites.SITE_B.host_address, seconds)
    progress(f"iperf3 TCP for {seconds} s")
    tcp = load.tcp(*ends)
    progress(f"iperf3 UDP for {seconds} s at {UDP_MBIT} Mbit/s")
    udp = load.udp(*ends, UDP_MBIT)
    both = accounts.settled(lab.gateways)
    result |= {f"tcp_{key}": tcp[key] for key in ("mbit", "retransmits")}
    result |= {f"udp_{key}": udp[key] for key in ("mbit", "sent", "lost", "rcvbuf_errors")}
    return result | accounts.summary(*both), both


def main():
    args = parse()
    lab = PciLab(args.nic)
    try:
        lab.up()
        try:
            result, both = measure(lab, args.seconds)
        finally:
            progress("lab down")
            lab.down()
    except LabError as error:
        print(f"tools/nic: {error}", file=sys.stderr)
        return 1
    table(["gate96 on two NICs of a guest", ""], result.items())
    print()
    print_accounts(both)
    write_json(args.json, result)
    return 0 if result["pings_answered"] and not result["unexplained"] else 1


sys.exit(main())
