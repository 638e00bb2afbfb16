# SPDX-License-Identifier: BSD-3-Clause
"""Inbound cases about sequence numbers (RFC 4303 3.4.3). Each yields (name, window, [(ESP packet, verdict)])."""
import esp

PASS, SEEN, OLD, BAD = "forwarded", "replay", "replay_old", "icv_bad"


def numbers(*wanted):
    """A history of (sequence number, verdict), every packet good but for its number."""
    return lambda sa, inner: [(esp.esp(sa, seq, inner), verdict) for seq, verdict in wanted]


def low_six_bits(sa, inner):
    first = [(esp.esp(sa, seq, inner), PASS) for seq in range(1, 97)]
    again = [(esp.esp(sa, seq, inner), SEEN) for seq in range(33, 97)]
    return first + again


def forged_far_ahead(sa, inner):
    forged = esp.flipped(esp.esp(sa, 0x7fffffff, inner), -1)
    return [(esp.esp(sa, 10, inner), PASS), (forged, BAD), (esp.esp(sa, 11, inner), PASS)]


def good_after_bad_copy(sa, inner):
    """The number of a packet that failed is still free."""
    good = esp.esp(sa, 5, inner)
    return [(esp.flipped(good, -12), BAD), (good, PASS), (good, SEEN)]


CASES = [
    ("a jump by the window's width, 32", 32, numbers((10, PASS), (42, PASS), (10, OLD), (11, PASS), (11, SEEN))),
    ("a jump by the window's width, 64", 64, numbers((10, PASS), (74, PASS), (10, OLD), (11, PASS), (42, PASS))),
    ("a jump by 1000", 64, numbers((10, PASS), (1010, PASS), (10, OLD), (946, OLD), (947, PASS), (1010, SEEN))),
    ("a jump over the whole of a large window", 1024,
     numbers((5, PASS), (5 + 5000, PASS), (5, OLD), (3982, PASS), (3981, OLD), (3982, SEEN))),
    ("40 then 30 in a window of 32: 30 once", 32, numbers((40, PASS), (30, PASS), (30, SEEN), (40, SEEN))),
    ("left edge of a window of 64", 64, numbers((100, PASS), (37, PASS), (36, OLD), (37, SEEN))),
    ("left edge of a window of 32", 32, numbers((100, PASS), (69, PASS), (68, OLD))),
    ("left edge of a window of 65536", 65536, numbers((70000, PASS), (4465, PASS), (4464, OLD), (4465, SEEN))),
    ("1 to 96, then 33 to 96 again", 64, low_six_bits),
    ("sequence number 0", 64, numbers((0, SEEN), (1, PASS))),
    ("a forged number far ahead does not move the window", 64, forged_far_ahead),
    ("the number of a packet that failed is still free", 64, good_after_bad_copy),
    ("the same packet twice in one burst", 64, numbers((7, PASS), (7, SEEN))),
    ("the last number without ESN", 64, numbers((0xfffffffe, PASS), (0xffffffff, PASS), (0xffffffff, SEEN))),
    ("no window: a copy passes", 0, numbers((9, PASS), (9, PASS), (3, PASS))),
]
