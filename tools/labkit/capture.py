# SPDX-License-Identifier: BSD-3-Clause
"""A capture of the WAN: each packet once, as it arrived at the site it was sent to.

gate96's own sending bypasses the kernel's taps (PACKET_QDISC_BYPASS), so each site shows what it receives, and the
two halves are merged by time.
"""
import pathlib
import signal
import subprocess
import tempfile

from netns import LabError, inside, run

BUFFER_KIB = 65536


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

    def _stop(self):
        """Returns how many packets tcpdump missed."""
        missed = 0
        for process, _ in self._running:
            process.send_signal(signal.SIGINT)
            for line in process.stderr.read().splitlines():
                if "dropped by kernel" in line:
                    missed += int(line.split()[0])
            process.wait()
        return missed

    def __exit__(self, kind, *unused):
        missed = self._stop()
        with self._directory:
            if kind is not None:
                return
            run("mergecap", "-F", "pcap", "-w", str(self._path), *(str(part) for _, part in self._running))
            if missed:
                raise LabError(f"tcpdump missed {missed} packets: {self._path} is incomplete")
