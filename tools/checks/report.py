# SPDX-License-Identifier: BSD-3-Clause
"""What passed and what failed, by name."""
import json
import sys


class Report:
    def __init__(self):
        self.num_passed = 0
        self.failures = []

    def passed(self, count=1):
        self.num_passed += count

    def failed(self, name, output=""):
        self.failures.append(name)
        print(f"FAILED {name}", flush=True)
        if output:
            print(output.rstrip(), flush=True)

    def result(self, name, ok, output=""):
        if ok:
            self.passed()
        else:
            self.failed(name, output)
        return ok

    def write(self, path):
        document = {"passed": self.num_passed, "failed": len(self.failures), "failures": self.failures}
        with open(path, "w") as file:
            json.dump(document, file, indent=2)
            file.write("\n")

    def finish(self):
        """Prints the last line and returns the exit code. Nothing counted is a failure too."""
        for name in self.failures:
            print(f"failed: {name}", file=sys.stderr)
        print(f"{self.num_passed} passed, {len(self.failures)} failed", flush=True)
        return 0 if self.num_passed and not self.failures else 1
