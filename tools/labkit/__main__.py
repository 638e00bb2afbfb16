# SPDX-License-Identifier: BSD-3-Clause
"""tools/lab: two gateways and two hosts in network namespaces, and iperf3 through their tunnel."""
import argparse
import contextlib
import sys

import accounts
import compare
import load
import sites
from capture import Capture
from lab import Lab
from netns import LabError, require_root
from results import write_json
from terminal import print_accounts, progress


def parse():
    parser = argparse.ArgumentParser(prog="tools/lab", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("up", help="build the namespaces and start both gateways").add_argument(
        "--device", choices=["af_packet", "af_xdp"], default="af_packet", help="kind of the gateways' ports")
    iperf = commands.add_parser("iperf", help="one iperf3 run from host A to host B")
    iperf.add_argument("--proto", choices=["tcp", "udp"], default="tcp")
    iperf.add_argument("--seconds", type=int, default=5)
    iperf.add_argument("--backend", default="auto", help="SHA-1 backend of both gateways (they are restarted)")
    iperf.add_argument("--bypass", action="store_true", help="policy bypass: the same path, nothing authenticated")
    iperf.add_argument("--fpu", metavar="PROFILE", default="always", help="FPU policy of both gateways (fpu/README.md)")
    iperf.add_argument("--workload", metavar="PRESET", default="gateway", help="what the modelled CPUs do besides")
    iperf.add_argument("--fallback", choices=["scalar", "defer"], default="scalar", help="when vector code is refused")
    iperf.add_argument("--ask", choices=["burst", "packet", "call"], help="how often leave is asked for")
    iperf.add_argument("--order", choices=["sa", "kernel", "none"], help="who may overtake what is deferred")
    iperf.add_argument("--simd-off-rate", type=float, metavar="R", help="share of asks refused besides, 0..1")
    iperf.add_argument("--compare", metavar="A,B", help="two backends in interleaved pairs of runs, and the ratio")
    iperf.add_argument("--pairs", type=int, default=12, help="of --compare (default %(default)s)")
    iperf.add_argument("--capture", metavar="FILE", help="write what crosses the WAN to this pcap")
    iperf.add_argument("--json", metavar="FILE", help="write the result here")
    commands.add_parser("status", help="what is up, and the gateways' counters").add_argument(
        "--json", metavar="FILE", help="write the counters here")
    commands.add_parser("down", help="stop the gateways and remove every trace")
    return parser.parse_args()


def need_up(lab):
    require_root()
    if not lab.is_up():
        raise LabError("no lab is up: run 'tools/lab up' first")


def compare_backends(lab, args):
    names = args.compare.split(",")
    if args.backend != "auto" or args.bypass or fpu_policy(args) or args.capture:
        raise LabError("--compare goes with --proto, --seconds, --pairs and --json only")
    if len(names) != 2 or args.pairs < 1:
        raise LabError("--compare takes two backends, such as generic,auto, and --pairs 1 or more")
    result = compare.compare(lab, names, args)
    compare.show(result)
    write_json(args.json, result)


def fpu_policy(args):
    """The keys of [fpu] that the arguments ask for; none for plain `always`."""
    given = {key: getattr(args, key) for key in ("ask", "order", "simd_off_rate") if getattr(args, key) is not None}
    if args.fpu == "always" and not given:
        return {}
    return {"profile": args.fpu, "workload": args.workload, "fallback": args.fallback} | given


def iperf(lab, args):
    need_up(lab)
    if args.compare:
        compare_backends(lab, args)
        return
    policy = fpu_policy(args)
    lab.start(args.backend, args.bypass, policy)
    before = accounts.settled(lab.gateways)
    progress(f"iperf3 {args.proto} for {args.seconds} s")
    capture = Capture(lab.wan_ends, args.capture) if args.capture else contextlib.nullcontext()
    with capture:
        result = load.iperf(args.proto, lab.host_a, lab.host_b, sites.SITE_B.host_address, args.seconds)
    result |= {"backend": args.backend, "bypass": args.bypass}
    result |= accounts.summary(*accounts.since(before, accounts.settled(lab.gateways)))
    if policy:
        result |= {"fpu": policy, "fpu_status": [gateway.show("fpu") for gateway in lab.gateways]}
    for key, value in result.items():
        print(f"{key}: {value}")
    write_json(args.json, result)


def status(lab, args):
    if not lab.is_up():
        print("no lab is up")
        write_json(args.json, {"up": False})
        return
    require_root()
    now = [{"counters": gateway.show("counters"), "ports": gateway.show("ports")["ports"]}
           for gateway in lab.gateways]
    for gateway in lab.gateways:
        print(f"{gateway.config.stem}: pid {gateway.pid()}, namespace {gateway.namespace}, {gateway.control}")
    print_accounts(now)
    write_json(args.json, {"up": True, "gateways": now})


def main():
    args = parse()
    lab = Lab()
    try:
        if args.command == "up":
            lab.up(args.device)
        elif args.command == "iperf":
            iperf(lab, args)
        elif args.command == "status":
            status(lab, args)
        else:
            lab.down()
    except LabError as error:
        print(f"tools/lab: {error}", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
