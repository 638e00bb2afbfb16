# SPDX-License-Identifier: BSD-3-Clause
"""Results for machines."""
import json


def write_json(path, value):
    """The value in the file that --json names, if any."""
    if path:
        with open(path, "w") as file:
            json.dump(value, file, indent=2)
            file.write("\n")
