# SPDX-License-Identifier: BSD-3-Clause
"""Two SHA-1 backends through the same tunnel, in interleaved pairs of runs, and whether the difference is resolved.

Pairs are run in the order AB BA AB ..., so that what drifts hits both alike; both gateways are started anew for each
run. The ratio is the median over the pairs. Its interval is that of the sign test: between two of the sorted ratios,
so that nothing is assumed of how runs scatter. An interval that holds 1 resolves nothing.
"""
import math
import pathlib
import statistics

import accounts
import load
import sites
from terminal import progress, table

CONFIDENCE = 0.95


def interval(ratios):
    """Where their median lies with CONFIDENCE at least; None if they are too few (fewer than 6) to tell."""
    values, num = sorted(ratios), len(ratios)
    outside, rank = 0.0, 0  # outside: chance that fewer than `rank` values, or all but so few, lie below the median
    while True:
        outside += 2 * math.comb(num, rank) / 2**num
        if outside > 1 - CONFIDENCE:
            break
        rank += 1
    return (values[rank - 1], values[num - rank]) if rank else None


def comparison(first, second, names, better):
    """Paired samples of one measure. better: max or min, which of two values is the better one."""
    ratios = [b / a for a, b in zip(first, second) if a]
    bounds = interval(ratios) if ratios else None
    resolved = bounds is not None and not bounds[0] <= 1 <= bounds[1]
    result = {names[0]: round(statistics.median(first), 1), names[1]: round(statistics.median(second), 1),
              "ratio": round(statistics.median(ratios), 4) if ratios else None,
              "interval": [round(bound, 4) for bound in bounds] if bounds else None}
    winner = names[1] if (better is max) == (bounds is not None and bounds[0] > 1) else names[0]
    return result | {"better": winner if resolved else None}


def _worker_ns(gateway):
    """Nanoseconds that the gateway's workers have run on a CPU, empty polls too."""
    total = 0
    for task in pathlib.Path(f"/proc/{gateway.pid()}/task").iterdir():
        if (task / "comm").read_text().startswith("rte-worker"):
            total += int((task / "schedstat").read_text().split()[0])
    return total


def _stage_cycles(gateway):
    """TSC cycles and packets by stage, of the bursts that were timed."""
    return {row["stage"]: (row["packets"] * row["cycles_per_packet"], row["packets"])
            for row in gateway.show("crypto")["stages"]}


def _per_packet(before, after):
    """By stage; 0 where no packet was timed in between."""
    return {stage: round((cycles - before[stage][0]) / max(1, num - before[stage][1]), 1)
            for stage, (cycles, num) in after.items()}


def _run(lab, backend, proto, seconds):
    lab.stop()
    lab.start(backend, bypass=False)
    before = accounts.settled(lab.gateways)
    stages = [_stage_cycles(gateway) for gateway in lab.gateways]
    cpu = [_worker_ns(gateway) for gateway in lab.gateways]
    result = {"backend": backend} | load.iperf(proto, lab.host_a, lab.host_b, sites.SITE_B.host_address, seconds)
    cpu = [_worker_ns(gateway) - start for gateway, start in zip(lab.gateways, cpu)]
    now = accounts.since(before, accounts.settled(lab.gateways))
    result["cpu_ns_per_packet"] = [round(ns / max(1, each["counters"]["rx"]), 1) for ns, each in zip(cpu, now)]
    result["stages"] = [_per_packet(start, _stage_cycles(gateway)) for gateway, start in zip(lab.gateways, stages)]
    return result | accounts.summary(*now)


def _measure(lab, names, args):
    """Runs by backend, in the order of the pairs."""
    runs = {name: [] for name in names}
    for pair in range(args.pairs):
        for name in names if pair % 2 == 0 else reversed(names):
            progress(f"pair {pair + 1} of {args.pairs}: {name}, {args.proto}, {args.seconds} s")
            runs[name].append(_run(lab, name, args.proto, args.seconds))
    return runs


def compare(lab, names, args):
    """The result of `tools/lab iperf --compare`, as it is written to --json."""
    runs = _measure(lab, names, args)

    def of(pick, better):
        return comparison(*([pick(run) for run in runs[name]] for name in names), names, better)

    result = {"proto": args.proto, "seconds": args.seconds, "pairs": args.pairs, "backends": list(names),
              "mbit": of(lambda run: run["mbit"], max), "cpu_ns_per_packet": [], "stages": []}
    for i, site in enumerate("ab"):
        result["cpu_ns_per_packet"].append({"site": site} | of(lambda run: run["cpu_ns_per_packet"][i], min))
        for stage in runs[names[0]][0]["stages"][i]:
            result["stages"].append({"site": site, "stage": stage} | of(lambda run: run["stages"][i][stage], min))
    every = [run for name in names for run in runs[name]]
    result |= {key: sum(run[key] for run in every) for key in ("unexplained", "icv_bad", "kernel_ring")}
    return result | {"runs": every}


def show(result):
    names = result["backends"]

    def row(label, each):
        bounds = each["interval"]
        return (label, each[names[0]], each[names[1]], each["ratio"],
                f"{bounds[0]} to {bounds[1]}" if bounds else "-", each["better"] or "not resolved")

    rows = [row(f"{result['proto']} Mbit/s", result["mbit"])]
    rows += [row(f"site {each['site']}: worker ns/packet", each) for each in result["cpu_ns_per_packet"]]
    rows += [row(f"site {each['site']}: {each['stage']} cycles/packet", each) for each in result["stages"]]
    table(["medians", *names, "ratio", f"{CONFIDENCE:.0%} interval", "better"], rows)
    print(f"{result['pairs']} pairs of {result['seconds']} s; unexplained: {result['unexplained']}; "
          f"kernel_ring: {result['kernel_ring']}")
