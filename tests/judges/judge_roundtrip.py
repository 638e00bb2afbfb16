# SPDX-License-Identifier: BSD-3-Clause
"""What one gateway encapsulates and its mirror image decapsulates is what went in, for random packets.

The burst changes on the way: what left in bursts of 32 enters in bursts of 5, and must still be in order.
"""
import random
import sys

import esp
import frames
import gateway_config
from explain import Explained
from gateway_config import HOST, OWN_WAN, PEER_WAN, REMOTE_HOST
from tap import Tap

NUM_PACKETS = 2000
NUM_SAS = 5
MAX_LEN = 1458  # the largest inner packet at MTU 1500 in an IPv4 tunnel


def random_packet(chance):
    """An IPv4 packet of any length, TOS, options and protocol that may be tunnelled twice over."""
    options = chance.choice([b"", b"", b"\x01\x01\x01\x00", b"\x07\x07\x04" + bytes(5)])
    payload = chance.randbytes(chance.randrange(8, MAX_LEN - 20 - len(options) + 1))
    fragment = chance.choice([0, 0, frames.DONT_FRAGMENT, frames.MORE_FRAGMENTS, chance.randrange(1, 8000)])
    return frames.ipv4(HOST, REMOTE_HOST, chance.choice([1, 6, 17, 47, 132, 255]), payload, chance.randrange(3, 256),
                       options, chance.randrange(65536), fragment, chance.randrange(256))


def config(chance, outbound):
    """SAs split by the protocol of the inner packet; one for all others. `outbound`: as the sender sees them."""
    text = gateway_config.HEAD if outbound else gateway_config.mirrored(gateway_config.HEAD)
    direction = "out" if outbound else "in"
    for index, protocol in enumerate([6, 17, 1, 132, None][:NUM_SAS]):
        sa = esp.Sa(f"sa-{index}", 0x1000 + index, OWN_WAN, PEER_WAN, chance.randbytes(20), window=128)
        text += gateway_config.sa_text(sa, direction)
        text += gateway_config.policy_text(direction, "protect", f"{gateway_config.LAN}.0/24",
                                           f"{gateway_config.REMOTE}.0/24", protocol, sa=sa.name, priority=index)
    return text


def main():
    tap = Tap()
    seed = random.randrange(1 << 32)
    print(f"# seed {seed}")
    chance = random.Random(seed)
    packets = [random_packet(chance) for _ in range(NUM_PACKETS)]
    keys = chance.randrange(1 << 32)
    sent = Explained(sys.argv[1], config(random.Random(keys), outbound=True), "lan",
                     [frames.ether(packet) for packet in packets])
    tap.equal("every packet is forwarded as ESP", set(sent.verdicts()), {"forwarded"})
    received = Explained(sys.argv[1], config(random.Random(keys), outbound=False), "wan", sent.sent["wan"], burst=5)
    tap.equal("every ESP packet is accepted at the other end", set(received.verdicts()), {"forwarded"})
    out = [frame[frames.ETHER_LEN:] for frame in received.sent["lan"]]
    wanted = [frames.ttl_down(frames.ttl_down(packet)) for packet in packets]
    tap.result("what comes out is what went in", out == wanted,
               f"{len(out)} packets; the first that differs: "
               f"{next((index for index, pair in enumerate(zip(out, wanted)) if pair[0] != pair[1]), None)}")
    again = Explained(sys.argv[1], config(random.Random(keys), outbound=False), "wan", sent.sent["wan"] * 2)
    tap.equal("each passes once", [packet["verdict"] == "forwarded" for packet in again.packets],
              [True] * NUM_PACKETS + [False] * NUM_PACKETS)
    return tap.finish()


sys.exit(main())
