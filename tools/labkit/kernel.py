# SPDX-License-Identifier: BSD-3-Clause
"""A Debian kernel for a guest: downloaded with apt-get and unpacked under the user's cache, never installed."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from netns import LabError, run
from terminal import progress

METAPACKAGE = "linux-image-amd64"
# In the order of loading, below drivers/.
MODULES = ("virtio/virtio_ring.ko", "virtio/virtio.ko", "virtio/virtio_pci_legacy_dev.ko",
           "virtio/virtio_pci_modern_dev.ko", "virtio/virtio_pci.ko", "char/virtio_console.ko",
           "uio/uio.ko", "uio/uio_pci_generic.ko")


def cache():
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache"))
    return home / "gate96" / "kernels"


def _package():
    """The package that the metapackage stands for now, such as linux-image-6.1.0-57-amd64."""
    for line in run("apt-cache", "depends", METAPACKAGE, check=False).splitlines():
        kind, _, name = line.strip().partition(": ")
        if kind == "Depends" and name.startswith("linux-image-"):
            return name
    raise LabError(f"apt knows no {METAPACKAGE}: run apt-get update")


class Kernel:
    """version, image and modules (paths, in the order of loading)."""

    def __init__(self, directory):
        self.version = directory.name.removeprefix("linux-image-")
        self.image = directory / "boot" / f"vmlinuz-{self.version}"
        drivers = directory / "lib" / "modules" / self.version / "kernel" / "drivers"
        self.modules = [drivers / module for module in MODULES]

    def is_whole(self):
        return all(path.exists() for path in (self.image, *self.modules))


def fetch():
    """The kernel from the cache; downloads about 70 MB the first time."""
    package = _package()
    directory = cache() / package
    kernel = Kernel(directory)
    if not kernel.is_whole():
        shutil.rmtree(directory, ignore_errors=True)
        cache().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache()) as scratch:
            _unpack(package, pathlib.Path(scratch))
            (pathlib.Path(scratch) / "tree").rename(directory)
    if not kernel.is_whole():
        raise LabError(f"{package} lacks {kernel.image.name} or one of {', '.join(MODULES)}")
    return kernel


def _unpack(package, scratch):
    progress(f"downloading {package}")
    done = subprocess.run(["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", package], cwd=scratch,
                          capture_output=True, text=True)
    archives = list(scratch.glob("*.deb"))
    if done.returncode != 0 or not archives:
        raise LabError(f"apt-get download {package}: {done.stderr.strip()} (run apt-get update?)")
    progress("unpacking it")
    run("dpkg-deb", "-x", str(archives[0]), str(scratch / "tree"))
