# SPDX-License-Identifier: BSD-3-Clause
"""Checks of the sources themselves: format, licence line, length, shell, Python, C++."""
import os
import pathlib
import subprocess

from test_names import check_test_names

MAX_LINES = 400
CODE = {".cpp", ".h", ".c", ".S", ".inc", ".py", ".sh", ".build", ".toml", ".ini", ".gp"}


def files():
    """Every file of the tree that git tracks or would track."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True,
                            text=True)
    return sorted(path for path in map(pathlib.Path, listed.stdout.splitlines()) if path.is_file())


def first_line(path):
    with path.open(errors="replace") as file:
        return file.readline().rstrip()


def is_script(path, interpreter):
    return path.suffix == "" and first_line(path).startswith("#!") and interpreter in first_line(path)


def is_code(path):
    return path.suffix in CODE or path.name == "meson_options.txt" or is_script(path, "/bin/")


def run(report, name, command):
    """One external checker as one counted result."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    report.result(name, done.returncode == 0, done.stdout)


def check_spdx(report, code):
    wanted = "SPDX-License-Identifier: BSD-3-Clause"
    bad = [str(path) for path in code if wanted not in "".join(path.read_text().splitlines()[:3])]
    report.result("SPDX line", not bad, "no licence line on top: " + " ".join(bad))


def check_length(report, code):
    bad = []
    for path in code:
        num_lines = len(path.read_text().splitlines())
        if num_lines > MAX_LINES:
            bad.append(f"{path}: {num_lines} lines, at most {MAX_LINES}")
    report.result("file length", not bad, "\n".join(bad))


def check_format(report, code):
    cpp = [str(path) for path in code if path.suffix in (".cpp", ".h", ".c")]
    run(report, "clang-format", ["clang-format", "--dry-run", "-Werror", *cpp])


def check_shell(report, code):
    shell = [str(path) for path in code if path.suffix == ".sh" or is_script(path, "/bash")]
    run(report, "shellcheck", ["shellcheck", "-x", *shell])


def check_python(report, code):
    bad = []
    for path in code:
        if path.suffix == ".py" or is_script(path, "/python3"):
            try:
                compile(path.read_text(), str(path), "exec")
            except SyntaxError as error:
                bad.append(str(error))
    report.result("python syntax", not bad, "\n".join(bad))


# returnStdMoveLocal is the compilers' business (-Wredundant-move). uninitMemberVar knows no buffers that are filled before use:
# lanes and work areas of a burst are left as they are on purpose.
NOT_ASKED = ["missingIncludeSystem", "returnStdMoveLocal", "uninitMemberVar"]


def check_cpp(report, code):
    """cppcheck: errors and likely mistakes, not taste. A second run reads its own notes and is quick."""
    notes = pathlib.Path("build", "cppcheck")
    notes.mkdir(parents=True, exist_ok=True)
    cpp = [str(path) for path in code if path.suffix == ".cpp" and path.parts[0] != "tests"]
    run(report, "cppcheck", ["cppcheck", "--quiet", "--enable=warning,performance,portability", "--inline-suppr",
                             *(f"--suppress={name}" for name in NOT_ASKED), "--std=c++20", "--error-exitcode=1", "-I.",
                             f"--cppcheck-build-dir={notes}", f"-j{os.cpu_count()}", *cpp])


def check_all(report):
    code = [path for path in files() if is_code(path)]
    for check in (check_spdx, check_length, check_format, check_shell, check_python, check_test_names, check_cpp):
        check(report, code)
