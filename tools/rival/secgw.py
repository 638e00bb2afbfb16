# SPDX-License-Identifier: BSD-3-Clause
"""DPDK's ipsec-secgw, built from the source package of the installed DPDK."""
import pathlib
import re
import shutil
import subprocess

from process import RunError

# It asks every port for checksum offloads on reception, which net_pcap and net_null do not have, and exits.
NEEDS_OFFLOADS = "\tlocal_port_conf.rxmode.offloads |= req_rx_offloads;\n"
MASKED = NEEDS_OFFLOADS + "\tlocal_port_conf.rxmode.offloads &= dev_info.rx_offload_capa;\n"


def run(*command, cwd=None):
    done = subprocess.run(list(map(str, command)), cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise RunError(f"{' '.join(map(str, command))} failed:\n{done.stdout[-3000:]}")
    return done.stdout


def installed_version():
    return run("dpkg-query", "-W", "-f", "${source:Version}", "libdpdk-dev").strip()


def private_apt(folder):
    """Options for an apt that knows the sources of the machine's own archives and touches nothing of the machine."""
    targets = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages",
                  "Origin: Debian")
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    lines = {f"deb-src {target}\n" for target in targets.splitlines() if target}
    (folder / "sources.list").write_text("".join(sorted(lines)))
    return ["-o", f"Dir::Etc::SourceList={folder}/sources.list", "-o", "Dir::Etc::SourceParts=/dev/null",
            "-o", f"Dir::State::Lists={lists}", "-o", "APT::Sandbox::User=root"]


def fetch(folder, version):
    """The unpacked source tree of that version."""
    options = private_apt(folder)
    run("apt-get", *options, "update")
    run("apt-get", *options, "source", "--download-only", f"dpdk={version}", cwd=folder)
    archives = sorted(folder.glob("dpdk_*.orig.tar.*"))
    if not archives:
        raise RunError(f"the source package dpdk {version} has no original archive in {folder}")
    run("tar", "-xf", archives[-1], "-C", folder, "--wildcards", "*/examples/ipsec-secgw/*", "*/examples/common/*")
    return next(folder.glob("dpdk-*/examples/ipsec-secgw"))


def patch(app):
    source = app / "ipsec-secgw.c"
    text = source.read_text()
    if text.count(NEEDS_OFFLOADS) != 1:
        raise RunError(f"{source} is not as expected: where its offloads are asked for has changed")
    source.write_text(text.replace(NEEDS_OFFLOADS, MASKED))


def build(folder, progress):
    """Path of the program; built once for each version of DPDK, in `folder`."""
    version = installed_version()
    folder = pathlib.Path(folder, re.sub(r"[^\w.+-]", "_", version)).resolve()
    program = folder / "ipsec-secgw"
    if program.exists():
        return program
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    progress(f"source of dpdk {version}")
    app = fetch(folder, version)
    patch(app)
    progress("building ipsec-secgw")
    run("make", "-C", app, "shared")
    shutil.copy(app / "build" / "ipsec-secgw-shared", program)
    return program
