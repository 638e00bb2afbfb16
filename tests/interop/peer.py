# SPDX-License-Identifier: BSD-3-Clause
"""A real Linux kernel (user-mode Linux) as IPsec peer, on a tap interface of a network namespace."""
import base64
import os
import pathlib
import select
import signal
import socket
import subprocess
import tempfile
import time

import netns

HERE = pathlib.Path(__file__).resolve().parent
BOOT_SECONDS = 60
STOP_SECONDS = 5


class Peer:
    """Boots in the constructor. The guest's eth0 is the tap `tap` in `namespace`; it has no addresses yet.

    `shim` is the built xstate_shim: it lets the guest run on CPUs whose XSAVE area the guest's kernel is too old for.
    """

    def __init__(self, namespace, tap, shim, memory_mb=128):
        self._directory = tempfile.TemporaryDirectory(prefix="gate96-peer-")
        self._console = pathlib.Path(self._directory.name, "console")
        netns.run("ip", "-n", namespace, "tuntap", "add", "dev", tap, "mode", "tap")
        self._line, guest_end = socket.socketpair()
        self._pending = b""
        with self._console.open("wb") as console, guest_end:
            self._process = subprocess.Popen(
                netns.inside(namespace, *self._command(tap, memory_mb, guest_end.fileno())),
                stdin=subprocess.DEVNULL, stdout=console, stderr=console, pass_fds=[guest_end.fileno()],
                env={**os.environ, "LD_PRELOAD": shim, "TMPDIR": "/dev/shm"}, start_new_session=True)
        try:
            if self._answer(BOOT_SECONDS) != "ready":
                raise netns.LabError("the user-mode Linux peer booted into something else")
        except Exception:
            self.stop()
            raise

    def _command(self, tap, memory_mb, line_fd):
        return ["linux.uml", f"mem={memory_mb}M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro",
                f"init={HERE}/guest_init.sh", f"uml_dir={self._directory.name}", "umid=peer", "quiet",
                f"eth0=tuntap,{tap},02:96:00:00:00:99", "con=null", "con0=null,fd:1", "ssl=null",
                f"ssl0=fd:{line_fd}"]

    def _answer(self, seconds):
        """The next line from the guest's ttyS0."""
        end = time.monotonic() + seconds
        while b"\n" not in self._pending:
            ready, _, _ = select.select([self._line], [], [], max(0, end - time.monotonic()))
            part = self._line.recv(65536) if ready else b""
            if not part:
                raise netns.LabError(f"the user-mode Linux peer does not answer; its console:\n{self.console()}")
            self._pending += part
        line, self._pending = self._pending.split(b"\n", 1)
        return line.decode().strip()

    def run(self, command, check=True, seconds=60):
        """Runs shell commands in the guest and returns what they printed. With `check`, a failure raises."""
        self._line.sendall(base64.b64encode(command.encode()) + b"\n")
        status, _, text = self._answer(seconds).partition(" ")
        output = base64.b64decode(text).decode(errors="replace")
        if check and status != "0":
            raise netns.LabError(f"in the peer: {command.strip()}: exit status {status}: {output.strip()}")
        return output

    def console(self):
        return self._console.read_text(errors="replace")[-4000:]

    def stop(self):
        """Hanging up its line makes the guest power off; what is left of its process group is killed."""
        self._line.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        self._directory.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.stop()
