# SPDX-License-Identifier: BSD-3-Clause
"""Sends frames out of an interface as they are: inject.py INTERFACE HEX... Runs in namespaces and in the guest."""
import socket
import sys

with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sock:
    sock.bind((sys.argv[1], 0))
    for frame in sys.argv[2:]:
        sock.send(bytes.fromhex(frame))
