# SPDX-License-Identifier: BSD-3-Clause
"""Runs `gate96 explain` and reads what it found and what it would have sent."""
import json
import pathlib
import subprocess
import tempfile

import frames


class Explained:
    """One run: `packets` in the order they went in, and the frames that would have left each port."""

    def __init__(self, gate96, config, port, frames_in, burst=32):
        with tempfile.TemporaryDirectory(prefix="gate96-judge-") as directory:
            directory = pathlib.Path(directory)
            config_file, capture, out = directory / "config.toml", directory / "in.pcap", directory / "out"
            config_file.touch(mode=0o600)
            config_file.write_text(config)
            frames.write_pcap(capture, frames_in)
            done = subprocess.run([gate96, "explain", str(config_file), "--port", port, str(capture), "--burst",
                                   str(burst), "--out", str(out), "--json"], capture_output=True, text=True)
            if done.returncode != 0:
                raise RuntimeError(f"gate96 explain: exit code {done.returncode}\n{done.stderr}")
            self.packets = json.loads(done.stdout)["packets"]
            self.sent = {path.stem: frames.read_pcap(path) for path in out.glob("*.pcap")}
        if [packet["n"] for packet in self.packets] != list(range(1, len(frames_in) + 1)):
            raise RuntimeError(f"explain told of {len(self.packets)} packets, {len(frames_in)} went in")

    def verdicts(self):
        return [packet["verdict"] for packet in self.packets]
