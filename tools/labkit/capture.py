# SPDX-License-Identifier: BSD-3-Clause
"""A capture of the WAN: each packet once, as it arrived at the site it was sent to.

gate96's own sending bypasses the kernel's taps (PACKET_QDISC_BYPASS), so each site shows what it receives, and the
two halves are merged by time.
"""
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from netns import LabError, inside, run

BUFFER_KIB = 65536
DRAIN_SECONDS = 10
COUNTS = re.compile(r"(\d+) packets? captured, (\d+) packets? received by filter")


class Capture:
    def __init__(self, ends, path):
        """`ends` are (namespace, interface); the capture is written to `path` when the context is left."""
        self._ends = ends
        self._path = pathlib.Path(path)
        self._directory = None
        self._running = []

    def __enter__(self):
        self._directory = tempfile.TemporaryDirectory(prefix="gate96-capture-")
        for namespace, interface in self._ends:
            part = pathlib.Path(self._directory.name, f"{namespace}.pcap")
            process = subprocess.Popen(
                inside(namespace, "tcpdump", "-i", interface, "-Q", "in", "-n", "-s", "0", "-Z", "root", "-B",
                       str(BUFFER_KIB), "-w", str(part)), stderr=subprocess.PIPE, text=True)
            self._running.append((process, part))
            if not any("listening on" in line for line in process.stderr):
                self._stop()
                raise LabError(f"tcpdump does not start in {namespace}")
        return self

    def _drain(self, process):
        """Waits until tcpdump has written all that its socket holds; on SIGINT it would leave that behind."""
        end = time.monotonic() + DRAIN_SECONDS
        while time.monotonic() < end:
            process.send_signal(signal.SIGUSR1)
            captured, received = map(int, COUNTS.search(process.stderr.readline()).groups())
            if captured == received:
                return
            time.sleep(0.05)

    def _stop(self):
        """Returns how many packets tcpdump missed."""
        missed = 0
        for process, _ in self._running:
            process.send_signal(signal.SIGINT)
            captured, received, dropped = 0, 0, 0
            for line in process.stderr.read().splitlines():
                count = int(line.split()[0]) if line[:1].isdigit() else 0
                captured += count if "packets captured" in line else 0
                received += count if "received by filter" in line else 0
                dropped += count if "dropped by kernel" in line else 0
            missed += received - captured + dropped
            process.wait()
        return missed

    def __exit__(self, kind, *unused):
        if kind is None:
            for process, _ in self._running:
                self._drain(process)
        missed = self._stop()
        with self._directory:
            if kind is not None:
                return
            run("mergecap", "-F", "pcap", "-w", str(self._path), *(str(part) for _, part in self._running))
            if missed:
                raise LabError(f"tcpdump missed {missed} packets: {self._path} is incomplete")
