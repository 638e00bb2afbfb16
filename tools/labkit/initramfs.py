# SPDX-License-Identifier: BSD-3-Clause
"""An initramfs: busybox, the gate96 binary with its shared libraries, kernel modules, and an init of a few lines."""
import gzip
import pathlib
import re
import stat

from netns import LabError, run

BUSYBOX = pathlib.Path("/bin/busybox")
MAGIC = "070701"  # "newc", without checksums

READY = "the guest is ready"

# The NICs are promised to uio_pci_generic before any driver is loaded. The shell on the virtio port runs what the host
# sends.
INIT = """\
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mkdir -p /dev/hugepages
mount -t hugetlbfs none /dev/hugepages
for device in {devices}; do
  echo uio_pci_generic > /sys/bus/pci/devices/$device/driver_override
done
{load}
while [ ! -e /dev/vport0p1 ]; do sleep 0.1; done
exec 0<> /dev/vport0p1 1>&0 2>&0
echo "{ready}"
sh
poweroff -f
"""


class Archive:
    """A cpio archive in memory, of directories and files, all root's."""

    def __init__(self):
        self._parts = []
        self._names = set()

    def _entry(self, name, mode, data=b""):
        head = [len(self._names) + 1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        entry = (MAGIC + "".join(f"{value:08X}" for value in head) + name + "\0").encode()
        for part in (entry, data):
            self._parts += [part, b"\0" * (-len(part) % 4)]
        self._names.add(name)

    def add(self, path, data, mode=0o644):
        """A file, by its absolute path, with the directories above it."""
        path = pathlib.PurePosixPath(path).relative_to("/")
        for parent in reversed(path.parents[:-1]):
            if str(parent) not in self._names:
                self._entry(str(parent), stat.S_IFDIR | 0o755)
        if str(path) not in self._names:
            self._entry(str(path), stat.S_IFREG | mode, data)

    def packed(self):
        self._entry("TRAILER!!!", 0)
        return gzip.compress(b"".join(self._parts), compresslevel=1)


def _libraries(binary):
    """Absolute paths of all that the binary is loaded with, the loader itself too."""
    return re.findall(r"(/\S+) \(0x", run("ldd", binary))


def build(binary, modules, devices):
    """The packed archive. binary: /bin/gate96 of the guest. devices: PCI addresses to bind to uio_pci_generic."""
    if not BUSYBOX.exists():
        raise LabError(f"{BUSYBOX} is missing: run tools/setup")
    archive = Archive()
    for directory in ("proc", "sys", "dev", "tmp", "run"):
        archive.add(f"/{directory}/.keep", b"")
    archive.add("/bin/busybox", BUSYBOX.read_bytes(), 0o755)
    archive.add("/bin/gate96", pathlib.Path(binary).read_bytes(), 0o755)
    for library in _libraries(binary):
        archive.add(library, pathlib.Path(library).read_bytes(), 0o755)
    for module in modules:
        archive.add(f"/modules/{module.name}", module.read_bytes())
    load = "\n".join(f"insmod /modules/{module.name}" for module in modules)
    archive.add("/init", INIT.format(load=load, ready=READY, devices=" ".join(devices)).encode(), 0o755)
    return archive.packed()
