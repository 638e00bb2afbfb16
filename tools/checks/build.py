# SPDX-License-Identifier: BSD-3-Clause
"""Builds a folder with meson and ninja, and runs its tests."""
import pathlib
import subprocess

import junit

# Folder and meson options of each kind of build. build/ is always the release build.
RELEASE = ("build", ["--buildtype=release"])
# Without werror: GCC 12 sees faults in <regex> and fmt under sanitizers that are not there.
SANITIZE = ("build-asan", ["--buildtype=debugoptimized", "-Dwerror=false", "-Db_sanitize=address,undefined",
                           "-Db_lundef=false", "-Dbench=false"])
# DPDK's inline rings and RCU by C11 atomics, which ThreadSanitizer understands, in place of barriers, which it does not.
THREADS = ("build-tsan", ["--buildtype=debugoptimized", "-Dwerror=false", "-Db_sanitize=thread", "-Db_lundef=false",
                          "-Dbench=false", "-Dcpp_args=-DRTE_USE_C11_MEM_MODEL"])
THREADS_TARGETS = [f"tests/dataplane/threads/test-{name}" for name in ("threads", "ring-threads", "ring-racy")]
X86_32 = ("build32", ["--buildtype=release", "--cross-file=tools/i686.ini", "-Ddataplane=false",
                      "-Dbench=false"])


def build(kind, report, *targets):
    """Sets up where needed and builds all, or `targets`. Returns whether there is something to test."""
    folder, options = kind
    if not pathlib.Path(folder, "build.ninja").exists():
        setup = subprocess.run(["meson", "setup", folder, *options], capture_output=True, text=True)
        if setup.returncode != 0:
            report.failed(f"{folder}: meson setup", setup.stdout + setup.stderr)
            return False
    ninja = subprocess.run(["ninja", "-C", folder, *targets], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return report.result(f"{folder}: build", ninja.returncode == 0, ninja.stdout)


def test(kind, report, *select):
    """Runs the tests of a built folder; `select` are further arguments of `meson test`."""
    folder, _ = kind
    log = pathlib.Path(folder, "meson-logs", "testlog.junit.xml")
    log.unlink(missing_ok=True)
    run = subprocess.run(["meson", "test", "-C", folder, "--no-rebuild", "--print-errorlogs", *select])
    if log.exists():
        junit.count(folder, report)
    else:
        report.failed(f"{folder}: meson test ran nothing (exit code {run.returncode})")
