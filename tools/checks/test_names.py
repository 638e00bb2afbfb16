# SPDX-License-Identifier: BSD-3-Clause
"""Every test that tests/README.md names is there: GoogleTests by suite and name, others by the text of their results."""
import ast
import pathlib
import re

TESTS = pathlib.Path("tests")
ANYTHING = ".+"
LEAST_LITERAL = 5  # characters that a pattern must have apart from what is filled in


def _gtest_names():
    macro = re.compile(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
    return {".".join(found) for path in TESTS.rglob("*.cpp") for found in macro.findall(path.read_text())}


def _string_literals(path):
    """Strings of a Python file as regular expressions; what an f-string fills in may be anything."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [re.escape(part.value) if isinstance(part, ast.Constant) else ANYTHING for part in node.values]
            if sum(len(part) for part in parts if part != ANYTHING) >= LEAST_LITERAL:
                yield "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) >= LEAST_LITERAL:
            yield re.escape(node.value)


def _result_names():
    patterns = {pattern for path in TESTS.rglob("*.py") for pattern in _string_literals(path)}
    rows = {row for path in TESTS.rglob("*.cpp") for row in re.findall(r'\{"(\w+)",', path.read_text())}
    return re.compile("|".join(sorted(patterns))), rows


def check_test_names(report, _code):
    text = (TESTS / "README.md").read_text().partition("## Known faults")[2]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    gtests, (results, rows) = _gtest_names(), _result_names()
    missing = []
    for line in lines:
        cell = line.split(" | ", 1)[1]
        missing += [name for name in re.findall(r"\[([^\]]+)\]", cell) if not results.fullmatch(name) and name not in rows]
        missing += [name for name in re.findall(r"`(\w+\.\w+)`", cell)
                    if name not in gtests and not list(TESTS.rglob(name))]
    report.result("tests named in tests/README.md", bool(lines) and not missing, "no such tests: " + "; ".join(missing))
