# SPDX-License-Identifier: BSD-3-Clause
"""Sequence numbers and replay windows across kill -9, clean stops, damaged files and a full disk.

One gateway with real ports; this program is the hosts on both sides, on packet sockets. Packets carry an id, so that
what is delivered twice is seen as such, whatever the gateway says of it.
"""
import ctypes
import json
import os
import pathlib
import secrets
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tools" / "labkit"), str(HERE.parent / "judges")]

import esp  # noqa: E402
import frames  # noqa: E402
import gateway_config  # noqa: E402
import netns  # noqa: E402
from gateway import Gateway, binary  # noqa: E402
from gateway_config import HOST, OWN_WAN, PEER_WAN, REMOTE_HOST  # noqa: E402
from tap import Tap  # noqa: E402

NAME = f"g96st{os.getpid()}"
KILLS = 10
ROUND_SECONDS = 0.3
PATIENCE_SECONDS = 20
OUT = esp.Sa("out", 0x5001, OWN_WAN, PEER_WAN, secrets.token_bytes(20))
IN = esp.Sa("in", 0x5002, PEER_WAN, OWN_WAN, secrets.token_bytes(20))
CLONE_NEWNET = 0x40000000
PACKET_OUTGOING = 4
ETH_P_ALL = 3
BURST = 16


def packet_socket(interface):
    """Bound in the namespace; stays there though this process goes back to its own."""
    setns = ctypes.CDLL(None, use_errno=True).setns
    with open("/proc/self/ns/net") as own, open(f"/run/netns/{NAME}") as other:
        if setns(other.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
        try:
            sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
            sock.bind((interface, 0))
            sock.setblocking(False)
            return sock
        finally:
            setns(own.fileno(), CLONE_NEWNET)


class Side:
    """What lies beyond one port of the gateway."""

    def __init__(self, port):
        self._socket = packet_socket(f"{port}-peer")
        link = json.loads(netns.run("ip", "-n", NAME, "-j", "link", "show", port))
        self._port_mac = link[0]["address"]

    def send(self, packet):
        try:
            self._socket.send(frames.ether(packet, dst=self._port_mac))
        except BlockingIOError:
            pass

    def received(self):
        """The IPv4 packets that the gateway has sent here since the last call."""
        while True:
            try:
                frame, address = self._socket.recvfrom(2048)
            except BlockingIOError:
                return
            if address[2] != PACKET_OUTGOING and frame[12:14] == b"\x08\x00":
                yield frame[14:]


def datagram(src, dst, ident):
    return frames.ipv4(src, dst, frames.PROTO_UDP, frames.udp(4000, 5000, struct.pack("!Q", ident)))


class World:
    """Both sides, and what they have seen."""

    def __init__(self):
        self.lan, self.wan = Side("lan"), Side("wan")
        self.sent_numbers = []     # of the ESP packets that left
        self.delivered = []        # numbers of the ESP packets whose content was delivered
        self.history = []          # every ESP packet that the peer has sent
        self.peer_seq = 0

    def peer_sends(self):
        """The next number, which is also the id within."""
        self.peer_seq += 1
        packet = esp.esp(IN, self.peer_seq, datagram(REMOTE_HOST, HOST, self.peer_seq))
        self.history.append(frames.ipv4(PEER_WAN, OWN_WAN, frames.PROTO_ESP, packet))
        self.wan.send(self.history[-1])

    def replay(self, packets):
        for packet in packets:
            self.wan.send(packet)
            self.look()

    def look(self):
        self.sent_numbers += [struct.unpack_from("!I", packet, 24)[0] for packet in self.wan.received()
                              if packet[9] == frames.PROTO_ESP]
        self.delivered += [struct.unpack_from("!Q", packet, 28)[0] for packet in self.lan.received()
                           if packet[9] == frames.PROTO_UDP]

    def load(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for _ in range(BURST):
                self.lan.send(datagram(HOST, REMOTE_HOST, 0))
                self.peer_sends()
            self.look()

    def settle(self):
        self.look()
        time.sleep(0.1)
        self.look()

    def until(self, done):
        """Sends a few packets each way now and then until `done()`, or patience ends."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not done() and time.monotonic() < end:
            for _ in range(4):
                self.lan.send(datagram(HOST, REMOTE_HOST, 0))
                self.peer_sends()
            time.sleep(0.01)
            self.look()
        return done()


def repeated(numbers):
    seen = set()
    return sorted({number for number in numbers if number in seen or seen.add(number)})[:10]


def kill(gateway):
    pid = gateway.pid()
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def saved_number(state, direction):
    return next(int(line.split()[5]) for line in state.read_text().splitlines() if line.startswith(direction + " "))


def check_kills(tap, world, gateway, state):
    starved = []
    for _ in range(KILLS):
        gateway.start()
        world.peer_seq = max(world.peer_seq, saved_number(state, "in"))  # the peer has gone on meanwhile
        world.replay(world.history[-400:] + world.history[::max(1, len(world.history) // 400)])
        before = len(world.sent_numbers), len(world.delivered)
        world.load(ROUND_SECONDS)
        kill(gateway)
        world.settle()
        starved += [before] if before[0] == len(world.sent_numbers) or before[1] == len(world.delivered) else []
    tap.equal(f"{KILLS} x kill -9 under load: traffic both ways each time", starved, [])
    tap.equal(f"{KILLS} x kill -9 under load: no number is sent twice", repeated(world.sent_numbers), [])
    tap.equal(f"{KILLS} x kill -9 under load: no replay is delivered", repeated(world.delivered), [])
    tap.result("numbers only grow across restarts", world.sent_numbers == sorted(world.sent_numbers))
    tap.result(f"{len(world.sent_numbers)} packets left, {len(world.delivered)} were delivered",
               min(len(world.sent_numbers), len(world.delivered)) > 100 * KILLS)


def check_clean_stop(tap, world, gateway, state):
    gateway.start()
    world.peer_seq = max(world.peer_seq, saved_number(state, "in"))
    world.until(lambda: world.peer_seq in world.delivered)
    gateway.stop()
    world.settle()
    last_sent, last_in = world.sent_numbers[-1], world.delivered[-1]
    tap.equal("a clean stop saves exact numbers", (saved_number(state, "out"), saved_number(state, "in")),
              (last_sent, last_in))
    gateway.start()
    before = len(world.sent_numbers)
    world.replay(world.history[-100:])
    world.until(lambda: len(world.sent_numbers) > before and world.delivered[-1] > last_in)
    tap.equal("after a clean stop the next number is the next one", world.sent_numbers[before], last_sent + 1)
    tap.equal("after a clean stop: nothing delivered twice", repeated(world.delivered), [])
    tap.result("after a clean stop: delivery goes on at once", last_in < world.delivered[-1] <= last_in + 50,
               f"{last_in} then {world.delivered[-1]}")


def check_events(tap, gateway):
    time.sleep(1.3)  # until the sums of what was suppressed are out
    events = gateway.show("events")["events"]
    replays = [event for event in events if event["event"] in ("replay", "replay_old") and event["seq"]]
    tap.result("replays are told with SPI, addresses, number and SA", bool(replays) and all(
        (event["spi"], event["sa"], event["src"], event["dst"]) == ("0x00005002", "in", PEER_WAN, OWN_WAN)
        for event in replays), events)
    lines = [json.loads(line) for line in gateway.log.read_text().splitlines() if line.startswith("{")]
    tap.equal("the log has the same events, one JSON object a line",
              [line["time"] for line in lines], [event["time"] for event in events])


def check_full_disk(tap, world, gateway, state):
    """Nothing beyond what was reserved is used while the file cannot be written, and all goes on afterwards."""
    filler = state.parent / "filler"
    world.settle()
    subprocess.run(["dd", "if=/dev/zero", f"of={filler}", "bs=4096"], capture_output=True)
    limit = saved_number(state, "in")
    stopped = world.until(lambda: gateway.show("counters")["drops"].get("seq_unsaved", 0) > 0)
    world.settle()
    tap.result("disk full: what is not reserved is dropped by name", stopped, gateway.show("counters"))
    tap.result("disk full: nothing beyond the reserved number is accepted", max(world.delivered) <= limit,
               f"{max(world.delivered)} with {limit} saved")
    time.sleep(0.2)
    told = [event["text"] for event in gateway.show("events")["events"] if event["event"] == "state_file"]
    tap.result("disk full: an event says so, once", len(told) == 1 and "No space left on device" in told[0], told)
    filler.unlink()
    tap.result("space again: all goes on", world.until(lambda: max(world.delivered) > limit))
    gateway.stop()
    world.settle()
    tap.equal("space again: no number twice", repeated(world.sent_numbers) + repeated(world.delivered), [])


def check_refusals(tap, config, state):
    def says(name, arguments, code, *words):
        done = subprocess.run(["timeout", "10", *netns.inside(NAME, binary(), *arguments, str(config))],
                              capture_output=True, text=True)
        text = done.stdout + done.stderr
        tap.result(name, done.returncode == code and all(word in text for word in words),
                   f"exit code {done.returncode}\n{text}")

    says("no state file: refused, and what to do", ["run"], 1, "state init", "--accept-sequence-reuse")
    says("state init makes it", ["state", "init"], 0, str(state))
    says("state init leaves one that is there", ["state", "init"], 1, "is there already")
    good = state.read_bytes()
    state.write_bytes(good.replace(b"stopped", b"running"))
    says("a damaged state file: refused, and why", ["run"], 1, "checksum", "--accept-sequence-reuse")
    accepting = Gateway(NAME, config)
    with subprocess.Popen(netns.inside(NAME, binary(), "run", "--accept-sequence-reuse", str(config)),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        up = process.stdout.readline()
        answers = accepting.control.exists()
        process.terminate()
        errors = process.stderr.read()
    tap.result("--accept-sequence-reuse goes on, and says what that means",
               bool(up) and answers and "numbers begin again" in errors, up + errors)
    state.unlink()
    says("state init once more", ["state", "init"], 0)


def write_config(directory, state):
    text = gateway_config.HEAD.replace(
        'name = "judged"', f'name = "{NAME}"\ncontrol = "{directory}/gate.sock"\nstate_file = "{state}"')
    for port in ("lan", "wan"):
        text = text.replace('device = "null"', f'device = "af_packet:{port}"', 1)
    text += gateway_config.sa_text(OUT, "out") + gateway_config.policy_text("out", "protect", sa=OUT.name)
    text += gateway_config.sa_text(IN, "in") + gateway_config.policy_text("in", "protect", sa=IN.name)
    config = directory / "gate.toml"
    config.touch(mode=0o600)
    config.write_text(text)
    return config


def run(tap, directory):
    disk = directory / "disk"
    disk.mkdir()
    netns.run("mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk))
    try:
        state = disk / "state"
        config = write_config(directory, state)
        gateway = Gateway(NAME, config)
        check_refusals(tap, config, state)
        world = World()
        check_kills(tap, world, gateway, state)
        check_clean_stop(tap, world, gateway, state)
        check_events(tap, gateway)
        check_full_disk(tap, world, gateway, state)
    finally:
        netns.end_processes(NAME)
        time.sleep(0.1)
        netns.run("umount", "-l", str(disk), check=False)


def main():
    tap = Tap()
    os.environ["GATE96"] = sys.argv[1]
    netns.require_root()
    netns.add(NAME)
    try:
        for port in ("lan", "wan"):
            netns.veth((NAME, port), (NAME, f"{port}-peer"))
            netns.bare(NAME, port)
            netns.bare(NAME, f"{port}-peer")
        with tempfile.TemporaryDirectory(prefix="gate96-restart-") as directory:
            run(tap, pathlib.Path(directory))
    finally:
        netns.end_processes(NAME)
        netns.delete(NAME)
    return tap.finish()


sys.exit(main())
