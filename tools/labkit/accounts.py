# SPDX-License-Identifier: BSD-3-Clause
"""The gateways' counters, and whether every packet is accounted for."""
import time

from netns import LabError

QUIET_SECONDS = 5


def settled(gateways):
    """Counters and ports of each gateway once nothing moves: two readings alike, and nothing held."""
    end = time.monotonic() + QUIET_SECONDS
    last = None
    while time.monotonic() < end:
        now = [{"counters": gateway.show("counters"), "ports": gateway.show("ports")["ports"]}
               for gateway in gateways]
        if now == last and all(each["counters"]["held"] == 0 for each in now):
            return now
        last = now
        time.sleep(0.1)
    raise LabError(f"the gateways' counters do not settle within {QUIET_SECONDS} s of the last packet")


def imbalance(counters):
    """Left less right of: rx + originated + fragments_made = tx + drops + local + consumed + merged + held."""
    left = counters["rx"] + counters["originated"] + counters["fragments_made"]
    right = counters["tx"] + sum(counters["drops"].values()) + sum(
        counters[key] for key in ("local", "consumed", "merged", "held"))
    return left - right


def ring_losses(account):
    """Packets that the kernel counted at this gateway's WAN interface and could not put into the receive ring."""
    return sum(port["kernel_ring"] for port in account["ports"] if port["role"] == "unprotected")


def astray(sender, receiver):
    """ESP packets sent, neither received nor lost at the receiver's ring; or received and never sent."""
    missing = sender["counters"]["esp_out"] - receiver["counters"]["esp_in"]
    return -missing if missing < 0 else max(0, missing - ring_losses(receiver))


def unexplained(a, b):
    """0 when every packet on both gateways, and between them, is accounted for."""
    return abs(imbalance(a["counters"])) + abs(imbalance(b["counters"])) + astray(a, b) + astray(b, a)


def summary(a, b):
    both = (a["counters"], b["counters"])
    return {"unexplained": unexplained(a, b), "esp_packets": sum(each["esp_out"] for each in both),
            "icv_bad": sum(each["icv_bad"] for each in both), "kernel_ring": ring_losses(a) + ring_losses(b)}


def _grown(before, after):
    """Each number less what it was before; a drop reason is listed only once it has counted something."""
    return {key: _grown(before.get(key, {}), value) if isinstance(value, dict) else value - before.get(key, 0)
            for key, value in after.items() if not isinstance(value, str)}


def since(before, after):
    """The accounts of one run: what each counter has grown by between two readings of `settled`."""
    return [{"counters": _grown(old["counters"], new["counters"]),
             "ports": [port | {"kernel_ring": port["kernel_ring"] - was["kernel_ring"]}
                       for was, port in zip(old["ports"], new["ports"])]}
            for old, new in zip(before, after)]
