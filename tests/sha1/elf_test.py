#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What readelf and objdump say of the assembly: elf_test.py ARCHIVE EXECUTABLE

No part asks for an executable stack; every function is hidden, has a size, and begins with endbr."""
import re
import subprocess
import sys
import unittest

ARCHIVE, EXECUTABLE = sys.argv[1:3]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def functions():
    """{name: (size, visibility)} of the assembly functions in the archive."""
    found = {}
    for line in run("readelf", "-sW", ARCHIVE).splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[3] == "FUNC" and fields[7].startswith("gate96_sha1_"):
            found[fields[7]] = (int(fields[2], 0), fields[5])
    return found


class Elf(unittest.TestCase):
    def test_there_are_functions_to_look_at(self):
        self.assertIn(1 if "gate96_sha1_i486" in functions() else 10, range(len(functions()) + 1))

    def test_every_function_is_hidden_and_has_a_size(self):
        for name, (size, visibility) in functions().items():
            self.assertEqual(visibility, "HIDDEN", name)
            self.assertGreater(size, 100, name)

    def test_every_function_begins_with_endbr(self):
        code = run("objdump", "-d", "--no-show-raw-insn", ARCHIVE)
        first = dict(re.findall(r"<(gate96_sha1_\w+)>:\n\s*[0-9a-f]+:\s+(\w+)", code))
        for name in functions():
            self.assertRegex(first[name], "^endbr(32|64)$", name)

    def test_every_object_has_a_note_against_executable_stacks(self):
        objects = re.split(r"^File: ", run("readelf", "-SW", ARCHIVE), flags=re.M)[1:]
        self.assertGreater(len(objects), 5)
        for text in objects:
            note = [line for line in text.splitlines() if ".note.GNU-stack" in line]
            self.assertEqual(len(note), 1, text.splitlines()[0])
            self.assertNotIn("X", note[0].split("PROGBITS")[1].split()[4:5], text.splitlines()[0])

    def test_the_stack_of_the_program_is_not_executable(self):
        stack = [line for line in run("readelf", "-lW", EXECUTABLE).splitlines() if "GNU_STACK" in line]
        self.assertEqual(len(stack), 1)
        self.assertEqual(stack[0].split()[6], "RW")


unittest.main(argv=sys.argv[:1])
