# SPDX-License-Identifier: BSD-3-Clause
"""What the user sees: progress on a terminal, and small tables."""
import sys


def progress(text):
    """One line a step, on standard error, and only where somebody looks."""
    if sys.stderr.isatty():
        print(f"... {text}", file=sys.stderr, flush=True)


def table(head, rows):
    """Columns padded to their widest cell; the first to the left, the others to the right."""
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    for row in cells:
        print("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                        for i, (cell, width) in enumerate(zip(row, widths))).rstrip())


def print_accounts(accounts):
    """The gateways' counters side by side; drops by reason, as far as there are any."""
    counters = [account["counters"] for account in accounts]
    keys = ["rx", "originated", "fragments_made", "tx", "local", "consumed", "merged", "held", "esp_in", "esp_out",
            "icv_bad"]
    reasons = sorted({reason for each in counters for reason, count in each["drops"].items() if count})
    rows = [[key, *(each[key] for each in counters)] for key in keys]
    rows += [[f"drop: {reason}", *(each["drops"].get(reason, 0) for each in counters)] for reason in reasons]
    table(["packets", "site A", "site B"], rows)
