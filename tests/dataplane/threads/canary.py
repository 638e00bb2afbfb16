#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether ThreadSanitizer's build can fail: without one acquire of dpdk_sync.cpp it must report a race.

usage: canary.py TEST-THREADS
"""
import os
import subprocess
import sys

for forgotten in ("pool", "launch"):
    run = subprocess.run([sys.argv[1], "--gtest_filter=Threads.HandOver"], capture_output=True, text=True,
                         env=os.environ | {"GATE96_FORGET": forgotten, "TSAN_OPTIONS": "exitcode=66"})
    if run.returncode != 66 or "data race" not in run.stderr:
        sys.exit(f"without the acquire of {forgotten!r} nothing was found, exit code {run.returncode}\n{run.stderr}")
