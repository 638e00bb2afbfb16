# SPDX-License-Identifier: BSD-3-Clause
"""A gateway that takes over another configuration under traffic: nothing lost, nothing in clear, numbers go on."""
import os
import pathlib
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "tools" / "labkit"), str(HERE.parent / "judges")]

import gateway  # noqa: E402
import netns  # noqa: E402
import tshark  # noqa: E402
from capture import Capture  # noqa: E402
from esp import Sa  # noqa: E402
from lab import Lab  # noqa: E402
from sites import SITE_A, SITE_B  # noqa: E402
from tap import Tap  # noqa: E402

NAME = f"g96re{os.getpid()}"
OK, BAD_CONFIG, NO_DAEMON = 0, 3, 4
PORT = 9696
ROUNDS = 10
PATIENCE = 20  # seconds

# Numbered datagrams, some thousand a second, until SIGTERM; then how many were sent.
SENDER = """
import signal, socket, sys, time
going = True
def stop(*unused):
    global going
    going = False
signal.signal(signal.SIGTERM, stop)
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
out.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
n = 0
while going:
    for _ in range(8):
        out.sendto(n.to_bytes(4, "big") + bytes(200), (sys.argv[1], int(sys.argv[2])))
        n += 1
    time.sleep(0.002)
print(n)
"""

# Until SIGTERM; then how many came, how many of them not in the place of their number, and how many overtaken.
RECEIVER = """
import signal, socket, sys
box = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
box.setsockopt(socket.SOL_SOCKET, 33, 16 << 20)  # SO_RCVBUFFORCE
box.bind(("", int(sys.argv[1])))
print("ready", flush=True)
class Stop(Exception):
    pass
def stop(*unused):
    raise Stop
signal.signal(signal.SIGTERM, stop)
count = misplaced = overtaken = 0
highest = -1
try:
    while True:
        number = int.from_bytes(box.recv(2048)[:4], "big")
        misplaced += number != count
        overtaken += number < highest
        highest = max(highest, number)
        count += 1
except Stop:
    print(count, misplaced, overtaken)
"""


def python(space, program, *arguments):
    return subprocess.Popen(netns.inside(space, sys.executable, "-c", program, *map(str, arguments)),
                            stdout=subprocess.PIPE, text=True)


def stopped(process):
    """What it printed at its end."""
    process.send_signal(signal.SIGTERM)
    return [int(word) for word in process.communicate(timeout=PATIENCE)[0].split() if word.isdigit()]


def reload(site, config=None):
    command = [gateway.binary(), "reload", *([str(config)] if config else []), "--control", str(site.control)]
    return subprocess.run(netns.inside(site.namespace, *command), capture_output=True, text=True, timeout=PATIENCE)


def two_workers(lab):
    """And, where the load comes from, a state file, so that what is reserved goes on across reloads too. The other
    side would drop what comes faster than its file is written, which depends on how busy this machine is."""
    for site in lab.gateways:
        site.stop()
        state = "state" if site is lab.gateways[0] else ""
        site.config.write_text(site.config.read_text().replace("[gateway]\n", "[gateway]\nworkers = 2\n").replace(
            'state_file = ""', f'state_file = "{state}"'))
        if site is lab.gateways[0]:
            netns.run(gateway.binary(), "state", "init", str(site.config))
        site.start()


def deferring(lab):
    """Every ICV is deferred to the other worker: packets in its hands must not lose their SAs to a reload."""
    for site in lab.gateways:  # both, before either starts: numbers begin again
        site.stop()
    for site in lab.gateways:
        text = site.config.read_text().replace('state_file = "state"', 'state_file = ""')
        fpu = '\n[fpu]\nprofile = "never"\nfallback = "defer"\ndefer_to = "lcores"\nbacklog = true\n'
        site.config.write_text(text + fpu)
        site.start()


def changed(site, name, *changes, tail=""):
    text = site.config.read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    path = site.config.with_name(f"{site.config.stem}-{name}.toml")
    path.write_text(text + tail)
    return path


def other_settings(site):
    """The same SAs under other names, behind a policy, a route and an SA more."""
    own, peer = (SITE_A, SITE_B) if site.config.stem == "site-a" else (SITE_B, SITE_A)
    return changed(site, "other", ('"to-', '"out-to-'), ('"from-', '"in-from-'), tail=f"""
[[route]]
to = "10.77.0.0/16"
via = "{peer.wan}"
port = "wan"

[[sa]]
name = "spare"
direction = "out"
spi = 0x7777
mode = "tunnel"
src = "{own.wan}"
dst = "{peer.wan}"
key_file = "{site.config.parent}/key-{own.name}"

[[policy]]
direction = "out"
priority = 5
dst = "10.77.0.0/16"
action = "protect"
sa = "spare"
""")


def reach(lab):
    return subprocess.run(netns.inside(lab.host_a, "ping", "-c", "1", "-W", "1", SITE_B.host_address),
                          stdout=subprocess.DEVNULL).returncode == 0


def reach_in_time(lab):
    end = time.monotonic() + PATIENCE
    while not reach(lab):
        if time.monotonic() > end:
            return False
    return True


def reload_often(lab):
    """To other settings and back, at both ends. Returns what went wrong."""
    others = [other_settings(site) for site in lab.gateways]
    failed = []
    for round_ in range(ROUNDS):
        for site, other in zip(lab.gateways, others):
            done = reload(site, other if round_ % 2 == 0 else site.config)
            failed += [] if done.returncode == OK else [done.stderr]
    return failed


def on_the_wan(lab, capture):
    """How many packets of each kind."""
    key = bytes.fromhex((lab.directory / f"key-{SITE_A.name}").read_text())
    verdicts = tshark.icv_verdicts(capture, [Sa("ab", SITE_A.spi, SITE_A.wan, SITE_B.wan, key)])
    return {verdict: verdicts.count(verdict) for verdict in set(verdicts)}


def check_under_load(tap, lab, what):
    receiver = python(lab.host_b, RECEIVER, PORT)
    receiver.stdout.readline()
    capture = lab.directory / "wan.pcap"
    with Capture(lab.wan_ends, capture):
        sender = python(lab.host_a, SENDER, SITE_B.host_address, PORT)
        tap.equal(f"{what}: {2 * ROUNDS} reloads under load", reload_often(lab), [])
        sent = stopped(sender)[0]
        time.sleep(1)
    tap.equal(f"{what}: the WAN carried them as ESP with good ICVs, and nothing else",
              on_the_wan(lab, capture), {"good": sent})
    tap.result(f"{what}: there was load", sent > 500, f"{sent} datagrams")
    tap.equal(f"{what}: every datagram arrived, in order", stopped(receiver), [sent, 0, 0])
    return sent


def losses(lab):
    """By full rings and by name, at either gateway."""
    return sum(sum(port["kernel_ring"] for port in site.show("ports")["ports"]) +
               sum(site.show("counters")["drops"].values()) for site in lab.gateways)


def check_full_ring(tap, lab):
    """While the sender's gateway stands still, its receive ring fills. The rest is lost: it must not take the other
    worker's ring, where it would overtake."""
    receiver = python(lab.host_b, RECEIVER, PORT)
    receiver.stdout.readline()
    site = lab.gateways[0]
    before = losses(lab)
    os.kill(site.pid(), signal.SIGSTOP)
    sender = python(lab.host_a, SENDER, SITE_B.host_address, PORT)
    time.sleep(3)  # a ring holds what comes in one
    os.kill(site.pid(), signal.SIGCONT)
    time.sleep(1)
    sent = stopped(sender)[0]
    time.sleep(1)
    arrived, _, overtaken = stopped(receiver)
    tap.result("a full receive ring: some are lost", 0 < arrived < sent, f"{arrived} of {sent}")
    tap.equal("a full receive ring: they are counted", losses(lab) - before, sent - arrived)
    tap.equal("a full receive ring: none is overtaken", overtaken, 0)


def check_accounts(tap, lab, sent, what):
    for site in lab.gateways:
        counters = site.show("counters")
        tap.equal(f"{what}, {site.config.stem}: no packet dropped, none in hand, none unexplained",
                  (counters["drops"], counters["held"], counters["balance"]), ({}, 0, 0))
    out = next(sa for sa in lab.gateways[0].show("sa")["sas"] if sa["direction"] == "out")
    into = next(sa for sa in lab.gateways[1].show("sa")["sas"] if sa["direction"] == "in")
    tap.result(f"{what}: the sender's numbers and counters go on", out["seq"] == out["packets"] >= sent, out)
    tap.equal(f"{what}: the receiver's go on, with no replay", (into["seq"], into["packets"], into["replay_drops"]),
              (out["seq"], out["packets"], 0))


def check_refusals(tap, lab):
    def refused(name, done, code, *words):
        missing = [word for word in words if word not in done.stderr]
        tap.result(name, done.returncode == code and not missing,
                   f"exit code {done.returncode}, wanted {code}; lacks {missing}:\n{done.stderr}")

    site = lab.gateways[0]
    before = site.show("sa")
    refused("a change to a port", reload(site, changed(site, "port", ("mtu = 1500", "mtu = 1400"))), BAD_CONFIG,
            "wan", "mtu", "restart")
    refused("a change to [gateway]", reload(site, changed(site, "workers", ("workers = 2", "workers = 1"))),
            BAD_CONFIG, "gateway.workers", "restart")
    refused("a wrong configuration", reload(site, changed(site, "wrong", ('mode = "tunnel"', 'mode = "tunel"'))),
            BAD_CONFIG, "site-a-wrong.toml", "tunel", "mode")
    tap.equal("a refused reload changes nothing", site.show("sa"), before)
    nobody = subprocess.run([gateway.binary(), "reload", "--control", str(lab.directory / "nobody.sock")],
                            capture_output=True, text=True)
    refused("nobody at the control socket", nobody, NO_DAEMON, "nobody.sock")


def check_discard(tap, lab):
    """A policy that now discards holds at once; SIGHUP brings the file in force back."""
    site = lab.gateways[0]
    protect = 'action = "protect"\nsa = "to-b"'
    original = site.config.read_text()
    discards = changed(site, "discard", (protect, 'action = "discard"'))
    site.config.write_text(discards.read_text())
    tap.equal("a reload of the file in force", reload(site).returncode, OK)
    before = site.show("counters")
    tap.result("the policy discards", not reach(lab))
    after = site.show("counters")
    tap.equal("it is counted, and nothing is sent",
              (after["drops"].get("policy_discard", 0) - before["drops"].get("policy_discard", 0),
               after["esp_out"] - before["esp_out"]), (1, 0))
    site.config.write_text(original)
    os.kill(site.pid(), signal.SIGHUP)
    tap.result("SIGHUP: the file is read again", reach_in_time(lab), site.tail())


def main():
    tap = Tap()
    os.environ |= {"GATE96": sys.argv[1], "GATE96_LAB": NAME}
    lab = Lab(NAME)
    try:
        lab.up()
        two_workers(lab)
        if tap.result("the hosts reach each other", reach_in_time(lab)):
            sent = check_under_load(tap, lab, "two workers")
            check_accounts(tap, lab, sent, "two workers")
            check_full_ring(tap, lab)
            check_refusals(tap, lab)
            check_discard(tap, lab)
        deferring(lab)
        if tap.result("deferring, the hosts reach each other", reach_in_time(lab)):
            sent = check_under_load(tap, lab, "deferring")
            check_accounts(tap, lab, sent, "deferring")
            deferred = [site.show("fpu")["deferred"] for site in lab.gateways]
            tap.result("deferring: every packet was deferred", min(deferred) >= sent, deferred)
    finally:
        lab.down()
    return tap.finish()


sys.exit(main())
