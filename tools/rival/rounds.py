# SPDX-License-Identifier: BSD-3-Clause
"""Two running forwarders against each other: one is frozen while the other runs, in turns of a fraction of a second,
so that whatever else the machine does meets both alike."""
import dataclasses
import statistics
import time

WARM_SECONDS = 0.03  # after a thaw, before a turn counts: caches, and the clock of the core
TURN_SECONDS = 0.15
NOISY_SPREAD = 0.10  # interquartile range over median
LOST_SHARE = 1e-3    # of packets received and not sent, above which a program does not forward: bursts in hand
LOST_READINGS = 20


@dataclasses.dataclass
class Figure:
    """CPU seconds a packet, of one program."""
    turns: list

    @property
    def median(self):
        return statistics.median(self.turns)

    @property
    def spread(self):
        low, _, high = statistics.quantiles(self.turns, n=4)
        return (high - low) / self.median


@dataclasses.dataclass
class Duel:
    ours: Figure
    rival: Figure
    ratios: list  # of each round: the rival's cost over ours

    @property
    def ratio(self):
        return statistics.median(self.ratios)

    @property
    def noisy(self):
        return max(self.ours.spread, self.rival.spread) > NOISY_SPREAD


def turn(forwarder):
    """CPU seconds a packet sent."""
    forwarder.thaw()
    time.sleep(WARM_SECONDS)
    (_, sent), spent = forwarder.counts(), forwarder.cpu_seconds()
    time.sleep(TURN_SECONDS)
    (_, sent_then), spent_then = forwarder.counts(), forwarder.cpu_seconds()
    forwarder.freeze()
    return (spent_then - spent) / (sent_then - sent)


def fight(ours, rival, rounds):
    """Each round is ours, rival, rival, ours."""
    ours.freeze()
    rival.freeze()
    a, b, ratios = [], [], []
    for _ in range(rounds):
        first, second, third, fourth = turn(ours), turn(rival), turn(rival), turn(ours)
        a += [first, fourth]
        b += [second, third]
        ratios.append((second + third) / (first + fourth))
    return Duel(Figure(a), Figure(b), ratios)


def lost_share(forwarder):
    """Of all packets received since the start, those that were not sent. It runs on between the two questions, and
    sent is asked first: what is received meanwhile looks lost, so the least of some readings is meant. Below 0: it
    sent what it never received."""
    forwarder.thaw()
    time.sleep(WARM_SECONDS)
    return min((forwarder.lost_share() for _ in range(LOST_READINGS)), key=abs)
