# SPDX-License-Identifier: BSD-3-Clause
"""The Test Anything Protocol: one line a result, so that the test runner counts each by itself."""


class Tap:
    def __init__(self):
        self._num = 0
        self._num_failed = 0

    def result(self, name, ok, why=""):
        self._num += 1
        self._num_failed += not ok
        print(f"{'ok' if ok else 'not ok'} {self._num} - {name.replace('#', '')}", flush=True)
        if not ok and why:
            print("".join(f"# {line}\n" for line in str(why).splitlines()), end="", flush=True)
        return ok

    def equal(self, name, found, wanted):
        return self.result(name, found == wanted, f"found  {found!r}\nwanted {wanted!r}")

    def finish(self):
        """Prints the plan and returns the exit code. No result at all is a failure."""
        print(f"1..{self._num}", flush=True)
        return 0 if self._num and not self._num_failed else 1
