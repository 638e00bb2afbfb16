# SPDX-License-Identifier: BSD-3-Clause
"""tools/bench_secgw: gate96 against DPDK's own ipsec-secgw, on the same captures, devices and core."""
import argparse
import contextlib
import itertools
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools" / "labkit"))

import configs  # noqa: E402
import rounds  # noqa: E402
import secgw  # noqa: E402
import traffic  # noqa: E402
from process import Forwarder, RunError  # noqa: E402
from results import write_json  # noqa: E402
from terminal import progress, table  # noqa: E402

SIZES = ("64", "512", "1420", "imix")
MEMORY_MB = 1024
EPILOG = """\
Both run with one polling core, --no-huge, the same capture from net_pcap (infinite_rx) to net_null, ESP tunnels of
NULL and HMAC-SHA1-96 with the same keys, and replay window 0, since the capture repeats its numbers; ipsec-secgw with
crypto_aesni_mb. They take turns on one core: one is frozen (SIGSTOP) while the other runs, ours, rival, rival, ours.
Cost is CPU time of the process over packets sent (DPDK's telemetry, for both), in TSC cycles; the ratio is the median
over rounds of the rival's cost over ours: above 1, gate96 is cheaper. A row is noisy if either one's interquartile
range is over 10 % of its median. That both really forward is checked: packets received must have been sent.

ipsec-secgw is built once, from the source package of the installed DPDK, in build/rival (or --cache). apt works there
with lists of its own; nothing of the machine is changed.
"""


def parse():
    parser = argparse.ArgumentParser(prog="tools/bench_secgw", description=__doc__, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--directions", default="out,in", help="out: clear to ESP; in: ESP to clear (default both)")
    parser.add_argument("--sizes", default=",".join(SIZES),
                        help="bytes of the clear frame without FCS, or imix: 7:4:1 of 64/594/1418 "
                             f"(default {','.join(SIZES)})")
    parser.add_argument("--sas", default="1,32", help="numbers of SAs (default 1,32)")
    parser.add_argument("--rounds", type=int, default=6, help="of four turns each (default 6, about 5 s a row)")
    parser.add_argument("--core", type=int, default=os.cpu_count() - 1, help="CPU for both (default the last)")
    parser.add_argument("--secgw-args", default="", help="more arguments for ipsec-secgw, such as -l")
    parser.add_argument("--cache", default=str(ROOT / "build" / "rival"), help="where ipsec-secgw is built")
    parser.add_argument("--json", metavar="FILE", help="write the rows here")
    return parser.parse_args()


def devices(direction, capture):
    """Of the protected and the unprotected port."""
    ends = (f"net_pcap0,rx_pcap={capture},infinite_rx=1", "net_null0,no-rx=1")  # without no-rx it makes up frames
    return ends if direction == "out" else ends[::-1]


def capture_for(gate96, folder, direction, size, num_sas):
    clear = folder / "clear.pcap"
    traffic.write_pcap(clear, traffic.clear_frames(direction, size, num_sas))
    if direction == "out":
        return clear
    far = folder / "far.toml"
    far.write_text(configs.gate96("far", folder, direction, num_sas, ("null", "null"), sends_in=True))
    esp = folder / "esp.pcap"
    traffic.write_pcap(esp, traffic.sealed(gate96, far, clear, folder))
    return esp


def start_ours(gate96, folder, direction, num_sas, ends, args):
    config = folder / "gate96.toml"
    name = f"rival-a-{os.getpid()}"
    config.write_text(configs.gate96(name, folder, direction, num_sas, ends))
    rx = 0 if direction == "out" else 1
    return Forwarder([gate96, "run", str(config)], f"gate96-{name}", folder / "gate96.log", args.core, rx, 1 - rx)


def start_rival(program, folder, direction, num_sas, ends, args):
    config = folder / "secgw.cfg"
    config.write_text(configs.secgw(direction, num_sas))
    prefix = f"rival-b-{os.getpid()}"
    rx = 0 if direction == "out" else 1
    command = [program, "--lcores", f"1@{args.core}", "--no-huge", "-m", str(MEMORY_MB), "--no-shconf", "--no-pci",
               "--file-prefix", prefix, "--log-level", "lib.eal:debug", "--vdev", ends[0], "--vdev", ends[1],
               "--vdev", "crypto_aesni_mb0", "--", "-P", "-p", "0x3", "-u", "0x2", "--config", "(0,0,1),(1,0,1)",
               "-f", config, *args.secgw_args.split()]
    return Forwarder(list(map(str, command)), prefix, folder / "secgw.log", args.core, rx, 1 - rx)


def tsc_hz(log):
    found = re.search(r"TSC frequency is ~(\d+) (KHz|Hz)", pathlib.Path(log).read_text(errors="replace"))
    if not found:
        raise RunError(f"DPDK does not name the TSC's frequency in {log}")
    return int(found[1]) * (1000 if found[2] == "KHz" else 1)


def measure(gate96, program, args, direction, size, num_sas):
    with tempfile.TemporaryDirectory(prefix="gate96-rival-") as folder, contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder)
        ends = devices(direction, capture_for(gate96, folder, direction, size, num_sas))
        ours = start_ours(gate96, folder, direction, num_sas, ends, args)
        stack.callback(ours.stop)
        ours.freeze()
        rival = start_rival(program, folder, direction, num_sas, ends, args)
        stack.callback(rival.stop)
        duel = rounds.fight(ours, rival, args.rounds)
        for each in (ours, rival):
            lost = rounds.lost_share(each)
            if abs(lost) > rounds.LOST_SHARE:
                raise RunError(f"{each.name} lost {lost:.2%} of its packets ({direction}, {size}, {num_sas} SAs)")
        return row_of(duel, tsc_hz(rival.log), direction, size, num_sas)


def row_of(duel, hz, direction, size, num_sas):
    return {"direction": direction, "size": size if size == "imix" else int(size), "sas": num_sas,
            "tsc_cycles": round(duel.ours.median * hz, 1), "rival_tsc_cycles": round(duel.rival.median * hz, 1),
            "ratio": round(duel.ratio, 3), "ratio_low": round(min(duel.ratios), 3),
            "ratio_high": round(max(duel.ratios), 3), "spread": round(duel.ours.spread, 3),
            "rival_spread": round(duel.rival.spread, 3), "noisy": duel.noisy}


def report(rows, args):
    table(["direction", "size", "SAs", "gate96", "ipsec-secgw", "ratio", "lowest", "highest", ""],
          [[row["direction"], row["size"], row["sas"], f"{row['tsc_cycles']:.0f}", f"{row['rival_tsc_cycles']:.0f}",
            *(f"{row[key]:.2f}" for key in ("ratio", "ratio_low", "ratio_high")), "noisy" if row["noisy"] else ""]
           for row in rows])
    print("TSC cycles of CPU time a packet, medians; ratio: ipsec-secgw's over gate96's, median of the rounds")
    write_json(args.json, {"rows": rows})


def main():
    args = parse()
    gate96 = os.environ.get("GATE96", str(ROOT / "build" / "gate96"))
    os.umask(0o077)  # the configurations hold keys
    try:
        if not pathlib.Path(gate96).exists():
            raise RunError(f"{gate96} is not built: run tools/quickstart, or meson setup build && ninja -C build")
        program = secgw.build(args.cache, progress)
        rows = []
        choices = (each.split(",") for each in (args.directions, args.sizes, args.sas))
        for direction, size, sas in itertools.product(*choices):
            progress(f"{direction}, {size} bytes, {sas} SAs")
            rows.append(measure(gate96, program, args, direction, size, int(sas)))
        report(rows, args)
    except RunError as error:
        print(f"tools/bench_secgw: {error}", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
