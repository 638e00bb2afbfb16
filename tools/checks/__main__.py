# SPDX-License-Identifier: BSD-3-Clause
"""tools/check: the release build with all its tests, the 32-bit build with its tests, and the source checks.

--sanitize and --interop are runs of their own, so that the plain one stays quick.
"""
import argparse
import pathlib
import sys
import time

import build
import source
from report import Report


def parse():
    parser = argparse.ArgumentParser(prog="tools/check", description=__doc__)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--sanitize", action="store_true", help="all tests under ASan and UBSan, the threads' tests under TSan")
    kind.add_argument("--interop", action="store_true", help="run the tests against a real Linux kernel (root)")
    parser.add_argument("--json", metavar="FILE", help="write the counts and the failed names here")
    return parser.parse_args()


def plain(report):
    source.check_all(report)
    if build.build(build.RELEASE, report):
        build.test(build.RELEASE, report, "--no-suite", "interop")
    if pathlib.Path("tools/i686.ini").exists() and build.build(build.X86_32, report):
        build.test(build.X86_32, report)


def sanitize(report):
    if build.build(build.SANITIZE, report):
        build.test(build.SANITIZE, report, "--no-suite", "interop", "--timeout-multiplier", "5")
    if build.build(build.THREADS, report, *build.THREADS_TARGETS):
        build.test(build.THREADS, report, "--suite", "threads", "--timeout-multiplier", "5")


def interop(report):
    if build.build(build.RELEASE, report):
        build.test(build.RELEASE, report, "--suite", "interop")


def main():
    args = parse()
    report = Report()
    begin = time.monotonic()
    (sanitize if args.sanitize else interop if args.interop else plain)(report)
    if args.json:
        report.write(args.json)
    print(f"took {time.monotonic() - begin:.0f} s")
    return report.finish()


sys.exit(main())
