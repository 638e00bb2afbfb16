#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether ThreadSanitizer sees a forgotten acquire: PROGRAM, built without it, must end with a data race.

usage: canary.py PROGRAM
"""
import os
import subprocess
import sys

RACE = 66  # exit code
run = subprocess.run([sys.argv[1]], capture_output=True, text=True, env=os.environ | {"TSAN_OPTIONS": f"exitcode={RACE}"})
if run.returncode != RACE or "data race" not in run.stderr:
    sys.exit(f"no race was found, exit code {run.returncode}\n{run.stderr}")
