# SPDX-License-Identifier: BSD-3-Clause
"""A DPDK program that forwards for as long as it is let: start, freeze, thaw, and read what it has done."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

START_SECONDS = 60
STOP_SECONDS = 10


class RunError(Exception):
    """Something that the user should read as it is."""


def runtime_folder(prefix):
    base = "/var/run" if os.geteuid() == 0 else os.environ.get("XDG_RUNTIME_DIR", "/tmp")
    return pathlib.Path(base, "dpdk", prefix)


class Forwarder:
    """`command` runs with the EAL file prefix `prefix` on CPU 0 and, where it polls, on CPU `core`; it receives on port
    `rx` and sends on port `tx`."""

    def __init__(self, command, prefix, log, core, rx, tx):
        self.log, self._folder, self._rx, self._tx = log, runtime_folder(prefix), rx, tx
        with open(log, "wb") as out:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                             preexec_fn=lambda: os.sched_setaffinity(0, {0, core}))
        try:
            self._wait_until_it_forwards()
        except RunError:
            self.stop()
            raise

    def _wait_until_it_forwards(self):
        end = time.monotonic() + START_SECONDS
        while True:
            with contextlib.suppress(OSError, ValueError, KeyError):
                if self.counts()[1] > 0:
                    return
            if self._process.poll() is not None:
                raise RunError(f"{self.name} stopped with exit code {self._process.returncode}:\n{self.tail()}")
            if time.monotonic() > end:
                raise RunError(f"{self.name} forwards nothing within {START_SECONDS} s:\n{self.tail()}")
            time.sleep(0.05)

    @property
    def name(self):
        return pathlib.Path(self._process.args[0]).name

    def tail(self):
        return "".join(pathlib.Path(self.log).read_text(errors="replace").splitlines(keepends=True)[-15:])

    def counts(self):
        """Packets received and sent, from DPDK's own telemetry: the same question for both programs."""
        with self._telemetry() as connection:
            return (self._ask(connection, self._rx)["ipackets"], self._ask(connection, self._tx)["opackets"])

    def lost_share(self):
        """Of the packets received since the start, those not sent when sent was read, a moment before."""
        with self._telemetry() as connection:
            sent = self._ask(connection, self._tx)["opackets"]
            return 1 - sent / self._ask(connection, self._rx)["ipackets"]

    @contextlib.contextmanager
    def _telemetry(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
            connection.settimeout(5)
            connection.connect(str(self._folder / "dpdk_telemetry.v2"))
            connection.recv(4096)
            yield connection

    @staticmethod
    def _ask(connection, port):
        connection.send(f"/ethdev/stats,{port}".encode())
        return json.loads(connection.recv(65536))["/ethdev/stats"] or {}  # null: no such port, yet

    def cpu_seconds(self):
        """CPU time of the process, to the nanosecond (clock_getcpuclockid(3)): its one polling thread, in effect.
        What others take of the core does not count."""
        return time.clock_gettime_ns((~self._process.pid << 3) | 2) * 1e-9

    def freeze(self):
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self._process.send_signal(signal.SIGCONT)

    def stop(self):
        if self._process.poll() is None:
            self.thaw()
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)
