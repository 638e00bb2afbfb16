# SPDX-License-Identifier: BSD-3-Clause
"""Counts single test cases in what `meson test` leaves in BUILD/meson-logs."""
import json
import pathlib
import xml.etree.ElementTree as ElementTree


def count(build, report):
    """Adds every case of the last test run to `report`. A skipped case counts as failed: it proved nothing."""
    logs = pathlib.Path(build) / "meson-logs"
    num_before = len(report.failures)
    for suite in ElementTree.parse(logs / "testlog.junit.xml").getroot().iter("testsuite"):
        for case in suite.findall("testcase"):
            bad = [kind for kind in ("failure", "error", "skipped") if case.find(kind) is not None]
            report.result(f"{suite.get('name')}: {case.get('name')}", not bad)
    if len(report.failures) == num_before:
        _count_exit_codes(logs, report)


def _count_exit_codes(logs, report):
    """A program may pass all its cases and still fail, as with a leak found at its end."""
    for line in (logs / "testlog.json").read_text().splitlines():
        test = json.loads(line)
        if test["result"] not in ("OK", "EXPECTEDFAIL"):
            report.failed(f"{test['name']}: {test['result']}, exit code {test['returncode']}")
