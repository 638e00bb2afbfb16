# SPDX-License-Identifier: BSD-3-Clause
"""The lab as a user has it: up, iperf3 through it, down; what crosses the WAN is judged by tshark."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "tools" / "labkit"), str(HERE.parent / "judges")]

import compare  # noqa: E402
import netns  # noqa: E402
import tshark  # noqa: E402
from esp import Sa  # noqa: E402
from lab import Lab  # noqa: E402
from sites import SITE_A, SITE_B  # noqa: E402
from tap import Tap  # noqa: E402

NAME = f"g96e2e{os.getpid()}"
FOREIGN_LIBRARIES = ("libcrypto", "libssl", "libIPSec_MB")


def tool(*arguments, **environment):
    return subprocess.run([str(ROOT / "tools" / "lab"), *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment})


def iperf(tap, directory, name, *arguments):
    """One run of `tools/lab iperf`; returns its result file, or None."""
    result = pathlib.Path(directory, "result.json")
    result.unlink(missing_ok=True)
    done = tool("iperf", "--seconds", "1", "--json", str(result), *arguments)
    if not tap.result(f"{name}: runs", done.returncode == 0 and result.exists(), done.stdout + done.stderr):
        return None
    return json.loads(result.read_text())


def leftovers(lab):
    """What a lab that is down must not leave: namespaces, state, control sockets, DPDK's runtime directories."""
    spaces = [space for space in netns.run("ip", "netns", "list").split() if space.startswith(NAME)]
    runtime = [str(path) for path in pathlib.Path("/var/run/dpdk").glob(f"gate96-{NAME}*")]
    return spaces + runtime + [str(path) for path in (lab.directory,) if path.exists()]


def check_refusals(tap, lab):
    second = tool("up")
    tap.result("a second lab beside the first is refused", second.returncode == 1 and "up already" in second.stderr,
               second.stderr)
    tap.result("the first lab is still there", lab.is_up() and all(gateway.pid() for gateway in lab.gateways))


def check_maps(tap, lab):
    for gateway in lab.gateways:
        maps = pathlib.Path(f"/proc/{gateway.pid()}/maps").read_text()
        found = [library for library in FOREIGN_LIBRARIES if library in maps]
        tap.equal(f"{gateway.config.stem}: no foreign crypto in the process", found, [])


def check_tunnel(tap, lab, directory):
    capture = pathlib.Path(directory, "wan.pcap")
    tcp = iperf(tap, directory, "TCP", "--capture", str(capture))
    if tcp:
        tap.equal("TCP: every packet is accounted for", (tcp["unexplained"], tcp["icv_bad"]), (0, 0))
        tap.result("TCP: data arrived", tcp["mbit"] > 0, tcp)
        judge_capture(tap, lab, capture, tcp)
    udp = iperf(tap, directory, "UDP", "--proto", "udp")
    if udp:
        tap.equal("UDP: every packet is accounted for", (udp["unexplained"], udp["icv_bad"]), (0, 0))
        tap.result("UDP: datagrams arrived", udp["offered_mbit"] >= udp["mbit"] > 0, udp)


def judge_capture(tap, lab, capture, result):
    def key(site):
        return bytes.fromhex((lab.directory / f"key-{site.name}").read_text())

    verdicts = tshark.icv_verdicts(capture, [Sa("ab", SITE_A.spi, SITE_A.wan, SITE_B.wan, key(SITE_A)),
                                             Sa("ba", SITE_B.spi, SITE_B.wan, SITE_A.wan, key(SITE_B))])
    counted = {verdict: verdicts.count(verdict) for verdict in set(verdicts)}
    tap.equal("the WAN carries nothing but ESP with good ICVs, and all of it",
              counted, {"good": result["esp_packets"]})


def check_crypto(tap, lab):
    """What the engine says of its work must agree with the ESP packets that the gateway counts."""
    site = lab.gateways[0]
    crypto, counters = site.show("crypto"), site.show("counters")
    num_esp = counters["esp_in"] + counters["esp_out"]
    blocks = {row["backend"]: row["blocks"] for row in crypto["backends"]}
    tap.result("crypto: two blocks a packet or more, inner and outer hash", sum(blocks.values()) >= 2 * num_esp > 0,
               (blocks, num_esp))
    tap.result("crypto: the backends' shares make one", abs(sum(row["share"] for row in crypto["backends"]) - 1) < 1e-3,
               crypto["backends"])
    for row in crypto["backends"]:
        lanes = [lane for lane in crypto["lanes"] if lane["backend"] == row["backend"]]
        tap.equal(f"crypto: the lanes in use of {row['backend']} make its blocks and its waste",
                  (sum(lane["in_use"] * lane["steps"] for lane in lanes),
                   sum((row["lanes"] - lane["in_use"]) * lane["steps"] for lane in lanes)),
                  (row["blocks"], row["wasted_slots"]))
    idle = [stage for stage in crypto["stages"] if stage["packets"] == 0 or stage["cycles_per_packet"] <= 0]
    tap.equal("crypto: every stage of the path was timed", idle, [])


def check_bypass(tap, lab, directory):
    clear = iperf(tap, directory, "bypass", "--bypass")
    if clear:
        tap.equal("bypass: no packet is ESP, all are accounted for", (clear["esp_packets"], clear["unexplained"]),
                  (0, 0))
        tap.result("bypass: data arrived", clear["mbit"] > 0, clear)


def check_backend(tap, directory):
    unknown = tool("iperf", "--seconds", "1", "--backend", "sha_nine")
    tap.result("an unknown backend is refused by name", unknown.returncode == 1 and "sha_nine" in unknown.stderr,
               unknown.stderr)
    generic = iperf(tap, directory, "generic backend", "--backend", "generic")
    if generic:
        tap.equal("generic backend: every packet is accounted for", (generic["unexplained"], generic["icv_bad"]),
                  (0, 0))


def check_fpu(tap, directory):
    """The policy that the arguments name is in force on both sites, and TCP comes through it."""
    deferring = ("--fallback", "defer", "--ask", "packet", "--simd-off-rate", "0.01")
    loose = iperf(tap, directory, "fpu: deferral without order", "--fpu", "always", *deferring, "--order", "none")
    if loose:
        tap.equal("fpu: every packet is accounted for", (loose["unexplained"], loose["icv_bad"]), (0, 0))
        tap.result("fpu: TCP tells its rate and retransmits", loose["mbit"] > 0 and loose["retransmits"] >= 0, loose)
        tap.equal("fpu: the rate and the fallback are the sites' own",
                  [(site["fallback"], site["simd_off_rate"]) for site in loose["fpu_status"]], [("defer", 0.01)] * 2)
        tap.result("fpu: packets were deferred, and some overtaken",
                   all(sum(site[key] for site in loose["fpu_status"]) > 0 for key in ("deferred", "reordered")), loose)
    ordered = iperf(tap, directory, "fpu: deferral in order", "--fpu", "linux-2.6.39", *deferring, "--order", "sa")
    if ordered:
        sites = ordered["fpu_status"]
        tap.equal("fpu: nothing is overtaken in order", [(site["profile"], site["reordered"]) for site in sites],
                  [("linux-2.6.39", 0)] * 2)
        tap.result("fpu: packets were deferred", sum(site["deferred"] for site in sites) > 0, sites)


def check_af_xdp(tap, lab, directory):
    """The same lab over XDP sockets, whose worker threads have given up the capabilities that set them up."""
    up = tool("up", "--device", "af_xdp")
    if not tap.result("af_xdp: the lab comes up", up.returncode == 0, up.stderr):
        return
    devices = {port["device"].split(":")[0] for gateway in lab.gateways for port in gateway.show("ports")["ports"]}
    tap.equal("af_xdp: all ports are of that kind", devices, {"af_xdp"})
    ping = subprocess.run(netns.inside(lab.host_a, "ping", "-c", "3", "-i", "0.1", "-W", "2", SITE_B.host_address),
                          capture_output=True, text=True)
    tap.result("af_xdp: ping", ping.returncode == 0, ping.stdout)
    tcp = iperf(tap, directory, "af_xdp TCP")
    if tcp:
        tap.equal("af_xdp: every packet is accounted for", (tcp["unexplained"], tcp["icv_bad"]), (0, 0))
        tap.result("af_xdp: data arrived", tcp["mbit"] > 0 and tcp["esp_packets"] > 0, tcp)


def check_down(tap, lab):
    down = tool("down")
    tap.result("the lab goes down", down.returncode == 0, down.stderr)
    tap.equal("the lab leaves nothing behind", leftovers(lab), [])


def check_interval(tap):
    """Ranks of the sign test's 95 % interval: those of published tables for the median."""
    ranks = {num: compare.interval(range(1, num + 1)) for num in (5, 6, 8, 9, 12, 20)}
    tap.equal("compare: the interval of the median", ranks,
              {5: None, 6: (1, 6), 8: (1, 8), 9: (2, 8), 12: (3, 10), 20: (6, 15)})
    first, slower = [100 + i for i in range(12)], [50 + i for i in range(12)]
    verdicts = [compare.comparison(*both, ("x", "y"), better)["better"]
                for both, better in (((first, slower), max), ((first, slower), min), ((first, first), max))]
    tap.equal("compare: who is better, more or less; nobody where both are alike", verdicts, ["x", "y", None])


def check_compare(tap, directory):
    result = iperf(tap, directory, "compare", "--compare", "generic,auto", "--pairs", "1")
    if not result:
        return
    tap.equal("compare: one run each, every packet accounted for",
              ([run["backend"] for run in result["runs"]], result["unexplained"]), (["generic", "auto"], 0))
    rate = result["mbit"]
    tap.result("compare: both rates and their ratio", min(rate[key] for key in ("generic", "auto", "ratio")) > 0, rate)
    tap.equal("compare: one pair resolves nothing", (rate["interval"], rate["better"]), (None, None))
    costs = result["cpu_ns_per_packet"] + [row for row in result["stages"] if row["stage"] == "icv"]
    tap.result("compare: both sites' CPU time and ICV cycles a packet", len(costs) == 4 and all(
        min(row["generic"], row["auto"]) > 0 for row in costs), costs)


def check_half_way(tap, lab):
    broken = tool("up", GATE96="/bin/false")
    tap.result("an up that fails half-way says so", broken.returncode == 1 and "exit code 1" in broken.stderr,
               broken.stderr)
    tap.equal("an up that fails half-way leaves nothing", leftovers(lab), [])


def main():
    tap = Tap()
    os.environ |= {"GATE96": sys.argv[1], "GATE96_LAB": NAME}
    lab = Lab(NAME)
    check_interval(tap)
    check_half_way(tap, lab)
    with tempfile.TemporaryDirectory(prefix="gate96-e2e-") as directory:
        try:
            up = tool("up")
            if tap.result("the lab comes up", up.returncode == 0, up.stderr):
                check_refusals(tap, lab)
                check_maps(tap, lab)
                check_tunnel(tap, lab, directory)
                check_crypto(tap, lab)
                check_bypass(tap, lab, directory)
                check_backend(tap, directory)
                check_compare(tap, directory)
                check_fpu(tap, directory)
        finally:
            check_down(tap, lab)
        try:
            check_af_xdp(tap, lab, directory)
        finally:
            check_down(tap, lab)
    return tap.finish()


sys.exit(main())
