# SPDX-License-Identifier: BSD-3-Clause
"""What `gate96 export wireshark` prints, as tshark takes it from its file esp_sa: good ICVs are good, bad ones bad."""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "judges")]

import esp  # noqa: E402
from gateway_config import HEAD, OWN_WAN, PEER_WAN, policy_text, sa_text  # noqa: E402
from tap import Tap  # noqa: E402

OUT = esp.Sa("out", 0x1001, OWN_WAN, PEER_WAN, bytes(range(20)))
IN = esp.Sa("in", 0x1002, PEER_WAN, OWN_WAN, bytes(range(100, 120)))


def write_capture(path):
    from scapy.layers.inet import IP
    from scapy.layers.l2 import Ether
    from scapy.utils import wrpcap
    inner = bytes(IP(src="10.1.0.2", dst="10.2.0.2", proto=200) / (b"x" * 40))
    packets = []
    for sa in (OUT, IN):
        good = esp.esp(sa, 1, inner)
        for packet in (good, esp.flipped(good, -1), esp.flipped(good, 20)):
            packets.append(Ether() / IP(src=sa.src, dst=sa.dst, proto=50) / packet)
    wrpcap(str(path), packets)


def verdicts(directory, capture):
    """(good, bad) of each packet, with the profile that lies in `directory`."""
    done = subprocess.run(["tshark", "-n", "-r", str(capture), "-o", "esp.enable_authentication_check:TRUE", "-o",
                           "esp.enable_encryption_decode:TRUE", "-T", "fields", "-e", "esp.icv_good", "-e", "esp.icv_bad"],
                          capture_output=True, text=True, env={**os.environ, "WIRESHARK_CONFIG_DIR": str(directory)})
    names = {"1\t0": "good", "True\tFalse": "good", "0\t1": "bad", "False\tTrue": "bad"}
    return [names.get(line, line) for line in done.stdout.splitlines()], done.stderr


def main(gate96):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="gate96-wireshark-") as name:
        directory = pathlib.Path(name)
        config = directory / "gw.toml"
        config.write_text(HEAD.replace("[gateway]\n", '[gateway]\nstate_file = ""\n') + sa_text(OUT, "out") + sa_text(IN, "in") +
                          policy_text("out", "protect", sa="out") + policy_text("in", "protect", sa="in"))
        config.chmod(0o600)
        capture = directory / "esp.pcap"
        write_capture(capture)
        done = subprocess.run([gate96, "export", "wireshark", "--with-keys", str(config)], capture_output=True, text=True)
        tap.equal("export succeeds", (done.returncode, done.stderr), (0, ""))
        (directory / "esp_sa").write_text(done.stdout)
        found, said = verdicts(directory, capture)
        tap.equal("tshark checks every ICV with the exported SAs", found, ["good", "bad", "bad"] * 2)
        tap.result("tshark takes every line", "esp_sa" not in said, said)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
