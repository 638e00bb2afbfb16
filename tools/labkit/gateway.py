# SPDX-License-Identifier: BSD-3-Clause
"""One gate96 process in a namespace: start, wait until it answers, ask, stop."""
import json
import os
import pathlib
import signal
import subprocess
import time

from netns import LabError, inside

ROOT = pathlib.Path(__file__).resolve().parents[2]
START_SECONDS = 20
STOP_SECONDS = 10


def binary():
    """build/gate96, or what GATE96 names: tests of other builds set it."""
    path = pathlib.Path(os.environ.get("GATE96", ROOT / "build" / "gate96")).absolute()
    if not path.exists():
        raise LabError(f"{path} is not built: run meson setup build && ninja -C build")
    return str(path)


class Gateway:
    """A gateway known by its configuration file; its control socket, log and pid lie beside that file."""

    def __init__(self, namespace, config):
        self.namespace = namespace
        self.config = pathlib.Path(config)
        self.control = self.config.with_suffix(".sock")
        self.log = self.config.with_suffix(".log")
        self._pid_file = self.config.with_suffix(".pid")

    def start(self):
        """Returns once the gateway answers on its control socket; raises with its log if it does not."""
        command = inside(self.namespace, binary(), "run", str(self.config))
        with self.log.open("wb") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       start_new_session=True)
        self._pid_file.write_text(str(process.pid))
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            if process.poll() is not None:
                self._pid_file.unlink()
                raise LabError(f"{self.config.stem} stopped with exit code {process.returncode}:\n{self.tail()}")
            if time.monotonic() > end:
                self.stop()
                raise LabError(f"{self.config.stem} does not answer within {START_SECONDS} s:\n{self.tail()}")
            time.sleep(0.02)

    def _answers(self):
        return self.control.exists() and self._show("ports").returncode == 0

    def _show(self, what):
        return subprocess.run([binary(), "show", what, "--control", str(self.control), "--json"],
                              capture_output=True, text=True)

    def show(self, what):
        """`gate96 show WHAT --json` of the running gateway, as Python values."""
        done = self._show(what)
        if done.returncode != 0:
            raise LabError(f"{self.config.stem}: show {what}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def pid(self):
        """The process id, or None if it does not run (any more)."""
        try:
            pid = int(self._pid_file.read_text())
            command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError, ValueError):
            return None
        return pid if str(self.config).encode() in command else None

    def stop(self):
        """Stops it as an operator would, with SIGTERM. One that hangs is killed, and that is an error."""
        pid = self.pid()
        if pid is None:
            return
        os.kill(pid, signal.SIGTERM)
        if not self._gone(STOP_SECONDS):
            os.kill(pid, signal.SIGKILL)
            self._gone(STOP_SECONDS)
            raise LabError(f"{self.config.stem} did not stop on SIGTERM:\n{self.tail()}")
        self._pid_file.unlink(missing_ok=True)

    def _gone(self, seconds):
        end = time.monotonic() + seconds
        while self.pid() is not None:
            if time.monotonic() > end:
                return False
            self._reap()
            time.sleep(0.02)
        return True

    def _reap(self):
        """A child of ours stays a zombie until it is waited for; one of an earlier run is not ours to wait for."""
        try:
            os.waitpid(int(self._pid_file.read_text()), os.WNOHANG)
        except (ChildProcessError, FileNotFoundError):
            pass

    def tail(self):
        return "".join(self.log.read_text(errors="replace").splitlines(keepends=True)[-20:])
