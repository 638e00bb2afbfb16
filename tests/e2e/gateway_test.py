# SPDX-License-Identifier: BSD-3-Clause
"""How a gateway starts, refuses to start, and stops: messages, exit codes and what is left behind."""
import json
import os
import pathlib
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tools" / "labkit"), str(HERE.parent / "judges")]

import gateway  # noqa: E402
import netns  # noqa: E402
from gateway_config import HEAD, policy_text  # noqa: E402
from tap import Tap  # noqa: E402

NAME = f"g96gw{os.getpid()}"
RUNTIME = pathlib.Path(f"/var/run/dpdk/gate96-{NAME}")
OK, RUNTIME_ERROR, USAGE, BAD_CONFIG, NO_DAEMON = 0, 1, 2, 3, 4
SECONDS = 20
FPU_FIELDS = ("profile", "workload", "fallback", "simd_off_rate", "asks", "grants", "refusals", "violations", "simd_share",
              "sections", "bytes_per_section", "section_bytes_max", "section_ns_max", "saves", "restores",
              "bytes_per_save", "queue_depth", "queue_high", "deferred", "overflow", "reordered")


def gate96(*arguments, wrapper=()):
    """Runs it to its end in the namespace; a gateway that comes up where it should not is stopped by the time-out."""
    command = netns.inside(NAME, *wrapper, gateway.binary(), *map(str, arguments))
    return subprocess.run(["timeout", "--signal=TERM", str(SECONDS), *command], capture_output=True, text=True)


def says(tap, name, done, code, *words):
    text = done.stdout + done.stderr
    missing = [word for word in words if word not in text]
    tap.result(name, done.returncode == code and not missing,
               f"exit code {done.returncode}, wanted {code}; lacks {missing}:\n{text}")


def check_refusals(tap, directory, config):
    def changed(name, old, new):
        path = directory / f"{name}.toml"
        path.write_text(config.read_text().replace(old, new))
        return path

    says(tap, "an interface that is not there", gate96("run", changed("gone", "af_packet:wan", "af_packet:nonesuch")),
         RUNTIME_ERROR, "wan", "nonesuch")
    says(tap, "no CAP_NET_RAW", gate96("run", config, wrapper=("setpriv", "--bounding-set", "-net_raw")),
         RUNTIME_ERROR, "CAP_NET_RAW")
    says(tap, "no CAP_SYS_ADMIN for af_xdp", gate96("run", changed("xdp", "af_packet:", "af_xdp:"), wrapper=(
        "setpriv", "--bounding-set", "-sys_admin")), RUNTIME_ERROR, "af_xdp:", "CAP_SYS_ADMIN")
    says(tap, "hugepages that are not there",
         gate96("run", changed("huge", "[gateway]", "[eal]\nhugepages = true\nmemory_mb = 1048576\n[gateway]")),
         RUNTIME_ERROR, "hugepages", "eal.hugepages = false")
    says(tap, "an unknown backend", gate96("run", changed("backend", "[gateway]", '[gateway]\nbackend = "sha_nine"')),
         BAD_CONFIG, "sha_nine", "backend")
    says(tap, "a configuration that is wrong", gate96("run", changed("wrong", "unprotected", "unprotectd")), BAD_CONFIG,
         "wrong.toml", "role", "unprotectd")
    says(tap, "a configuration that is not there", gate96("run", directory / "nonesuch.toml"), BAD_CONFIG,
         "nonesuch.toml")
    says(tap, "a share of refused asks over 1", gate96("run", config, "--simd-off-rate", "2"), USAGE, "simd-off-rate")
    says(tap, "no command", gate96(), USAGE)
    says(tap, "nobody at the control socket", gate96("show", "counters", "--control", directory / "nobody.sock"),
         NO_DAEMON, "nobody.sock")


def check_second(tap, directory, config):
    """The same name and socket are taken; what the first one does goes on."""
    says(tap, "a second gateway beside the first", gate96("run", config), RUNTIME_ERROR, "gate.sock")
    other = directory / "other.toml"
    other.write_text(config.read_text().replace("gate.sock", "other.sock"))
    says(tap, "a second gateway of the same name with another socket", gate96("run", other), RUNTIME_ERROR,
         f'gateway.name = "{NAME}": another gate96 runs under this name')
    says(tap, "it tells its FPU policy", gate96("show", "fpu", "--control", directory / "gate.sock"), OK, "profile",
         "always", "simd_share")
    says(tap, "the first one still answers", gate96("show", "counters", "--control", directory / "gate.sock"), OK)


def wait_for_answer(path):
    end = time.monotonic() + SECONDS
    while gate96("show", "ports", "--control", path).returncode != OK and time.monotonic() < end:
        time.sleep(0.02)


def thread_status(process):
    """/proc's status of each thread of the gateway, by field."""
    # `ip netns exec` and timeout replace themselves by what they run: the process is the gateway.
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        yield dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines() if ":\t" in line)


def check_privileges(tap, process):
    threads = list(thread_status(process))
    workers = [thread["CapEff"].strip("0") for thread in threads if "worker" in thread["Name"]]
    tap.equal("a worker has no capabilities", workers, [""])
    tap.equal("no thread can gain privileges", {thread["NoNewPrivs"] for thread in threads}, {"1"})


def check_null(tap, directory):
    """Ports that lead nowhere: nothing comes from there either."""
    config = directory / "null.toml"
    config.write_text(HEAD.replace('name = "judged"', f'name = "{NAME}-null"\ncontrol = "{directory}/null.sock"') +
                      policy_text("out", "bypass"))
    process = subprocess.Popen(netns.inside(NAME, gateway.binary(), "run", "--quiet", str(config)))
    try:
        wait_for_answer(directory / "null.sock")
        time.sleep(0.2)
        counters = json.loads(gate96("show", "counters", "--control", directory / "null.sock", "--json").stdout)
        tap.equal("null ports receive nothing", counters["rx"], 0)
    finally:
        process.terminate()
        tap.equal("a gateway on null ports: exit code 0", process.wait(SECONDS), 0)


def check_fpu(tap, directory):
    """What the policy's report has, as text and as JSON, once and again; and the option that refuses asks."""
    path = directory / "fpu.sock"
    config = directory / "fpu.toml"
    config.write_text(HEAD.replace('name = "judged"', f'name = "{NAME}-fpu"\ncontrol = "{path}"') +
                      policy_text("out", "bypass") + '[fpu]\nprofile = "linux-5.18"\nsimd_off_rate = 0.5\n')
    process = subprocess.Popen(
        netns.inside(NAME, gateway.binary(), "run", "--quiet", "--simd-off-rate", "0.25", str(config)))
    show = ("show", "fpu", "--control", path)
    try:
        wait_for_answer(path)
        fields = json.loads(gate96(*show, "--json").stdout)
        tap.equal("show fpu: fields that are missing", [field for field in FPU_FIELDS if field not in fields], [])
        says(tap, "show fpu: the same as text", gate96(*show), OK, *FPU_FIELDS)
        for form, word in (((), "section_ns_max"), (("--json",), '"section_ns_max"')):
            watched = gate96(*show, "--watch", *form, wrapper=("timeout", "2.5"))
            tap.result(f"show fpu --watch {' '.join(form)}: again and again", watched.stdout.count(word) > 1, watched)
        tap.equal("--simd-off-rate: stands above the file's", fields["simd_off_rate"], 0.25)
        says(tap, "--simd-off-rate: is no change that a reload would refuse",
             gate96("reload", "--control", path), OK)
        tap.equal("--simd-off-rate: outlives a reload",
                  json.loads(gate96(*show, "--json").stdout)["simd_off_rate"], 0.25)
    finally:
        process.terminate()
        tap.equal("a gateway under an FPU policy: exit code 0", process.wait(SECONDS), 0)


def connect(path, request=b""):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(SECONDS)
    client.connect(str(path))
    try:
        client.sendall(request)
    except (BrokenPipeError, ConnectionResetError):
        pass  # given up before all was sent
    return client


def answer(client):
    """All that comes until the gateway closes."""
    text = b""
    try:
        while piece := client.recv(65536):
            text += piece
    except ConnectionResetError:
        pass  # it had not read all of ours
    client.close()
    return text.decode()


def answer_to_part(path):
    client = connect(path, b"reload")
    client.shutdown(socket.SHUT_WR)
    return answer(client)


def num_descriptors(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def check_clients(tap, directory):
    """The control socket and its bad clients: others are answered soon, and nothing is left of them."""
    path = directory / "clients.sock"
    config = directory / "clients.toml"
    config.write_text(HEAD.replace('name = "judged"', f'name = "{NAME}-clients"\ncontrol = "{path}"') +
                      policy_text("out", "bypass"))
    # Whoever reads what it says has gone: both outputs are pipes without a reader.
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(netns.inside(NAME, gateway.binary(), "run", str(config)), stdout=writer, stderr=writer)
    os.close(writer)
    try:
        wait_for_answer(path)
        before = num_descriptors(process)
        silent = [connect(path) for _ in range(200)]
        start = time.monotonic()
        told = [answer(connect(path, b"counters\n")) for _ in range(10)]
        tap.result("200 silent clients: ten others are answered within 2 s",
                   all('"balance"' in text for text in told) and time.monotonic() - start < 2,
                   time.monotonic() - start)
        clients = [connect(path, b"counters\n") for _ in range(200)]
        tap.equal("200 more that ask at once: all are answered",
                  [text for text in map(answer, clients) if '"balance"' not in text], [])
        tap.result("1 MB without a newline: refused", "at most" in answer(connect(path, b"a" * 2**20)), "")
        tap.result("a part of a line: refused", "newline" in answer_to_part(path), "")
        tap.result("a path that is not UTF-8: an answer",
                   "reloaded" in answer(connect(path, b"reload /\xff\xfe\n")), "")
        os.mkfifo(directory / "pipe")
        start = time.monotonic()
        told = answer(connect(path, b"reload " + bytes(directory / "pipe") + b"\n"))
        tap.result("a reload from a pipe that nobody writes: refused, not waited for",
                   "must be a plain file" in told and time.monotonic() - start < 2, told)
        for _ in range(50):
            connect(path, b"sa\n").close()
            connect(path, b"coun").close()
        for client in silent[:100]:
            client.close()
        told = [answer(client) for client in silent[100:]]
        tap.equal("silent clients are told that they are given up",
                  [text for text in told if "no request" not in text], [])
        process.send_signal(signal.SIGHUP)  # tells of it on a pipe that is closed
        says(tap, "after all that it shows and reloads", gate96("reload", "--control", path), OK, "in force")
        tap.equal("no descriptor is left open", num_descriptors(process), before)
    finally:
        process.terminate()
        tap.equal("a gateway with bad clients: exit code 0", process.wait(SECONDS), 0)


def check_stop(tap, directory, config, how):
    """Exit code 0 within bounded time, and neither socket nor runtime directory."""
    process = subprocess.Popen(netns.inside(NAME, gateway.binary(), "run", str(config)), stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    path = directory / "gate.sock"
    wait_for_answer(path)
    tap.equal(f"{how.name}: the control socket is its owner's only", oct(stat.S_IMODE(path.stat().st_mode)), "0o600")
    check_second(tap, directory, config)
    check_privileges(tap, process)
    process.send_signal(how)
    try:
        code = process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        code = "none: it had to be killed"
    tap.result(f"{how.name}: exit code 0", code == 0, f"exit code {code}\n{process.stdout.read()}")
    tap.equal(f"{how.name}: nothing is left", [str(left) for left in (path, RUNTIME) if left.exists()], [])


def main():
    tap = Tap()
    os.environ["GATE96"] = sys.argv[1]
    netns.require_root()
    netns.add(NAME)
    try:
        netns.veth((NAME, "lan"), (NAME, "lan-peer"))
        netns.veth((NAME, "wan"), (NAME, "wan-peer"))
        for interface in ("lan", "wan", "lan-peer", "wan-peer"):
            netns.bare(NAME, interface)
        with tempfile.TemporaryDirectory(prefix="gate96-gateway-") as directory:
            directory = pathlib.Path(directory)
            config = directory / "gate.toml"
            text = HEAD.replace('name = "judged"', f'name = "{NAME}"\ncontrol = "{directory}/gate.sock"')
            for port in ("lan", "wan"):
                text = text.replace('device = "null"', f'device = "af_packet:{port}"', 1)
            config.write_text(text + policy_text("out", "bypass"))
            check_refusals(tap, directory, config)
            check_null(tap, directory)
            check_fpu(tap, directory)
            check_clients(tap, directory)
            check_stop(tap, directory, config, signal.SIGTERM)
            check_stop(tap, directory, config, signal.SIGINT)
    finally:
        netns.end_processes(NAME)
        netns.delete(NAME)
    return tap.finish()


sys.exit(main())
