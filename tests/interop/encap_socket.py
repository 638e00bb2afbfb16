# SPDX-License-Identifier: BSD-3-Clause
"""Linux takes ESP in UDP only through a socket so marked (UDP_ENCAP_ESPINUDP): keeps one open for each IP version."""
import signal
import socket
import sys

UDP_ENCAP, UDP_ENCAP_ESPINUDP = 100, 2

sockets = []
for family, any_address in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
    one = socket.socket(family, socket.SOCK_DGRAM)
    if family == socket.AF_INET6:
        one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    one.setsockopt(socket.IPPROTO_UDP, UDP_ENCAP, UDP_ENCAP_ESPINUDP)
    one.bind((any_address, int(sys.argv[1])))  # last: who waits for it looks at bound ports
    sockets.append(one)
signal.pause()
