# SPDX-License-Identifier: BSD-3-Clause
"""Wireshark's ESP dissector as judge of ICVs."""
import subprocess


def _sa_record(sa):
    """One line of Wireshark's table of SAs. It takes a 4-in-4 tunnel's outer addresses."""
    family = "IPv6" if ":" in sa.src else "IPv4"
    fields = [family, sa.src, sa.dst, f"{sa.spi:#010x}", "NULL", "", "HMAC-SHA-1-96 [RFC2404]", "0x" + sa.key.hex()]
    return "uat:esp_sa:" + ",".join(f'"{field}"' for field in fields)


def icv_verdicts(pcap, sas):
    """"good", "bad" or "no ESP" (nor an SA for it) for each IP packet of a capture, in order."""
    options = ["-o", "esp.enable_authentication_check:TRUE", "-o", "esp.enable_encryption_decode:TRUE"]
    # A payload that some other dissector takes for its own, and malformed, would hide the ESP fields.
    for protocol in ("udp", "tcp", "icmp"):
        options += ["--disable-protocol", protocol]
    for sa in sas:
        options += ["-o", _sa_record(sa)]
    done = subprocess.run(["tshark", "-n", "-r", str(pcap), *options, "-Y", "ip or ipv6", "-T", "fields", "-e",
                           "esp.icv_good", "-e", "esp.icv_bad"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"tshark: {done.stderr.strip()}")
    names = {"1\t0": "good", "True\tFalse": "good", "0\t1": "bad", "False\tTrue": "bad"}
    return [names.get(line, "no ESP") for line in done.stdout.splitlines()]
