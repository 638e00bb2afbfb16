# SPDX-License-Identifier: BSD-3-Clause
"""A QEMU guest in software emulation with two NICs, and a gate96 in it that has them as PCI devices."""
import json
import pathlib
import secrets
import socket
import subprocess
import time

import initramfs
from gateway import binary
from netns import LabError, inside

NICS = ("e1000", "e1000e", "virtio-net-pci")
SLOTS = {"lan": 0x10, "wan": 0x11}
DEVICES = {name: f"0000:00:{slot:02x}.0" for name, slot in SLOTS.items()}
MEMORY_MB = 1536
HUGEPAGES = 320  # of 2 MB: eal.memory_mb = 512 and some
BOOT_SECONDS = 180
ANSWER_SECONDS = 60


class Guest:
    """The guest, from its boot on. Its console and the socket of its shell lie in the directory."""

    def __init__(self, namespace, directory, kernel, nic):
        self._directory = pathlib.Path(directory)
        self._console = self._directory / "console.log"
        socket_path = self._directory / "guest.sock"
        archive = self._directory / "initramfs"
        archive.write_bytes(initramfs.build(binary(), kernel.modules, DEVICES.values()))
        command = ["qemu-system-x86_64", "-machine", "pc", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2",
                   "-m", str(MEMORY_MB), "-display", "none", "-monitor", "none", "-nodefaults", "-no-reboot",
                   "-kernel", str(kernel.image), "-initrd", str(archive),
                   "-append", f"console=ttyS0 panic=-1 hugepages={HUGEPAGES}",
                   "-serial", f"file:{self._console}",
                   "-chardev", f"socket,id=shell,path={socket_path},server=on,wait=off",
                   "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=shell"]
        for name, slot in SLOTS.items():  # on interfaces of these names; packets whole, checksums real
            command += ["-netdev", f"tap,id={name},ifname={name},script=no,downscript=no,vnet_hdr=off",
                        "-device", f"{nic},netdev={name},addr={slot:#x}"]
        with (self._directory / "qemu.log").open("wb") as log:
            self._process = subprocess.Popen(inside(namespace, *command), stdin=subprocess.DEVNULL, stdout=log,
                                             stderr=log, start_new_session=True)
        self._line = self._connect(socket_path)

    def _connect(self, path):
        line = socket.socket(socket.AF_UNIX)
        end = time.monotonic() + ANSWER_SECONDS
        while True:
            try:
                line.connect(str(path))
                return line
            except OSError:
                self._check(end)
                time.sleep(0.1)

    def _check(self, end):
        if not self.is_running():
            raise LabError(f"QEMU stopped with exit code {self._process.returncode}:\n{self.tail()}")
        if time.monotonic() > end:
            raise LabError(f"the guest does not answer in time:\n{self.tail()}")

    def tail(self):
        texts = [path.read_text(errors="replace") for path in (self._directory / "qemu.log", self._console)
                 if path.exists()]
        return "".join("".join(texts).splitlines(keepends=True)[-20:])

    def wait_for_boot(self):
        self._read_until(initramfs.READY, BOOT_SECONDS)

    def run(self, command, seconds=ANSWER_SECONDS):
        """Runs a shell command; returns its exit code and output."""
        mark = secrets.token_hex(8)
        self._line.sendall(f"{command}\necho {mark} $?\n".encode())
        output, _, code = self._read_until(mark, seconds).rpartition(mark)
        return int(code), output

    def _read_until(self, mark, seconds):
        """All that comes up to the end of the line with the mark."""
        end = time.monotonic() + seconds
        found = b""
        while mark.encode() not in found or not found.endswith(b"\n"):
            self._check(end)
            self._line.settimeout(1)
            try:
                found += self._line.recv(65536)
            except TimeoutError:
                pass
        return found.decode(errors="replace").replace("\r", "")

    def is_running(self):
        return self._process.poll() is None

    def stop(self):
        self._line.close()
        self._process.kill()
        self._process.wait()


class GuestGateway:
    """The gate96 of the guest, with the same questions as gateway.Gateway."""

    def __init__(self, config):
        self.config = pathlib.Path(config)
        self.guest = None
        self.namespace = None
        self._control = self.config.with_suffix(".sock")
        self._log = self.config.with_suffix(".log")

    def start(self):
        """Hands over the configuration and the keys, and returns once the gateway answers."""
        for path in (self.config, *self.config.parent.glob("key-?")):
            self._must(f"mkdir -p {path.parent}; umask 077; cat > {path} <<'END'\n{path.read_text()}END")
        self._must(f"gate96 run {self.config} > {self._log} 2>&1 &")
        end = time.monotonic() + ANSWER_SECONDS
        while self._show("ports")[0] != 0:
            if self.guest.run("kill -0 $!")[0] != 0 or time.monotonic() > end:
                raise LabError(f"gate96 does not start in the guest:\n{self.guest.run(f'cat {self._log}')[1]}")

    def _must(self, command):
        code, text = self.guest.run(command)
        if code != 0:
            raise LabError(f"in the guest: {command}: {text}")

    def _show(self, what):
        return self.guest.run(f"gate96 show {what} --control {self._control} --json 2>/dev/null")

    def show(self, what):
        """`gate96 show WHAT --json` in the guest, as Python values."""
        code, text = self._show(what)
        if code != 0:
            raise LabError(f"the guest's gate96: show {what}: exit code {code}")
        return json.loads(text)

    def pid(self):
        """The process id in the guest, or None if it does not run there."""
        if self.guest is None or not self.guest.is_running():
            return None
        code, text = self.guest.run("pidof gate96")
        return int(text) if code == 0 else None

    def stop(self):
        if self.pid() is not None:
            self._must("kill $!; wait $!")
