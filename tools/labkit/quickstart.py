# SPDX-License-Identifier: BSD-3-Clause
"""tools/quickstart: iperf3 through a tunnel between two gateways, and where every packet went."""
import argparse
import contextlib
import subprocess
import sys

import accounts
import load
import sites
from capture import Capture
from gateway import ROOT
from lab import Lab
from netns import LabError
from results import write_json
from terminal import print_accounts, progress, table


def parse():
    parser = argparse.ArgumentParser(prog="tools/quickstart", description=__doc__)
    parser.add_argument("--seconds", type=int, default=5, help="of each iperf3 run (default 5)")
    parser.add_argument("--capture", metavar="FILE", help="write what crosses the WAN to this pcap (slower)")
    parser.add_argument("--json", metavar="FILE", help="write the results here")
    return parser.parse_args()


def build():
    progress("release build in build/")
    folder = ROOT / "build"
    if not (folder / "build.ninja").exists():
        step("meson", "setup", str(folder), str(ROOT), "--buildtype=release")
    step("ninja", "-C", str(folder), "gate96")


def step(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise LabError(f"{' '.join(command)} failed:\n{done.stdout}")


def measure(lab, args):
    """Both runs, then the accounts once the gateways are quiet."""
    ends = (lab.host_a, lab.host_b, sites.SITE_B.host_address, args.seconds)
    with Capture(lab.wan_ends, args.capture) if args.capture else contextlib.nullcontext():
        progress(f"iperf3 TCP for {args.seconds} s")
        tcp = load.tcp(*ends)
        progress(f"iperf3 UDP for {args.seconds} s at {load.UDP_MBIT} Mbit/s")
        udp = load.udp(*ends)
    return tcp, udp, accounts.settled(lab.gateways)


def report(tcp, udp, both, args):
    result = {"tcp_mbit": tcp["mbit"], "tcp_retransmits": tcp["retransmits"], "udp_mbit": udp["mbit"],
              "udp_offered_mbit": udp["offered_mbit"],
              "udp_loss_percent": udp["loss_percent"], "udp_rcvbuf_errors": udp["rcvbuf_errors"],
              **accounts.summary(*both)}
    table(["through the tunnel", ""], result.items())
    print()
    print_accounts(both)
    write_json(args.json, result)
    if result["unexplained"]:
        raise LabError(f"{result['unexplained']} packets are not accounted for")


def main():
    args = parse()
    lab = Lab()
    try:
        build()
        progress("lab up")
        lab.up()
        try:
            results = measure(lab, args)
        finally:
            progress("lab down")
            lab.down()
        report(*results, args)
    except LabError as error:
        print(f"tools/quickstart: {error}", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
