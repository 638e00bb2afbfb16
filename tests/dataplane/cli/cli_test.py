# SPDX-License-Identifier: BSD-3-Clause
"""The command line: exit codes, what goes to which stream, and help that names every command."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "judges")]

from tap import Tap  # noqa: E402

EXAMPLES = HERE.parents[2] / "tools" / "examples"
COMMANDS = ("run", "check", "reload", "show", "state", "explain", "crypto", "export", "import")


class Cli:
    def __init__(self, gate96):
        self._gate96 = gate96

    def run(self, *arguments):
        """(exit code, standard output, standard error)"""
        done = subprocess.run([self._gate96, *map(str, arguments)], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr


def check_usage(tap, cli):
    code, out, err = cli.run()
    tap.result("without a command: code 2, and help on standard error", code == 2 and not out and "check" in err, err)
    code, out, err = cli.run("--help")
    tap.result("--help: code 0, and every command in it", code == 0 and all(c in out for c in COMMANDS), out + err)
    tap.equal("an unknown command: code 2, and the nearest one", cli.run("chekc"),
              (2, "", 'gate96: no command "chekc"; did you mean "check"?\n'))
    for arguments in (["check"], ["check", "a", "b"], ["check", "--jason", "a"], ["show", "everything"], ["export", "cisco"],
                      ["explain", "a", "b", "--port", "p", "--burst", "0"]):
        code, out, err = cli.run(*arguments)
        tap.result(f"{' '.join(arguments)}: code 2, and where help is", code == 2 and not out and "--help" in err, err)
    for command in COMMANDS:
        code, out, err = cli.run(command, "--help")
        tap.result(f"{command} --help: code 0", code == 0 and out and not err, out + err)


def check_config(tap, cli, directory):
    good = EXAMPLES / "site-a.toml"
    code, out, err = cli.run("check", good)
    tap.result("check of a good file: code 0", code == 0 and "good" in out, out + err)
    bad = directory / "bad.toml"
    bad.write_text("[gateway]\nburst = 0\n")
    code, out, err = cli.run("check", bad)
    tap.equal("check of a bad file: code 3, errors on standard error", (code, out, err.splitlines()[-1]),
              (3, "", f"{bad}:2: gateway.burst = 0: must be 1..256"))
    code, out, _ = cli.run("check", "--json", bad)
    tap.equal("check --json: code 3, and a list", (code, [item["key"] for item in json.loads(out)]),
              (3, ["port", "policy", "gateway.burst"]))
    for command in (["run", bad], ["export", "linux", bad], ["explain", bad, "x.pcap", "--port", "lan"],
                    ["check", directory / "absent.toml"]):
        tap.equal(f"{command[0]} with a bad file: code 3", cli.run(*command)[0], 3)


def check_others(tap, cli, directory):
    code, _, err = cli.run("show", "counters", "--control", directory / "nobody.sock")
    tap.result("show without a gateway: code 4", code == 4 and "nobody.sock" in err, err)
    code, _, err = cli.run("import", "linux", directory / "absent")
    tap.result("import of an absent file: code 1", code == 1 and "absent" in err, err)


class Listener:
    """A gateway's place at the control socket, taken by one that does `serve` with a client."""

    def __init__(self, path, serve):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(path))
        self._socket.listen()
        self._thread = threading.Thread(target=self._run, args=(serve,))

    def _run(self, serve):
        client, _ = self._socket.accept()
        serve(client)
        client.close()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._thread.join()
        self._socket.close()


def check_broken_off(tap, cli, directory):
    """A gateway that gives up, before it has read the request or amid its answer."""
    def amid(client):
        client.recv(100)
        client.sendall(b'{"gateway":')

    def with_reason(client):
        client.sendall(b'{"error":"no request came"}\n')

    def silent(client):
        client.shutdown(socket.SHUT_RD)

    for name, serve, words in (("silently", silent, ("closed the connection", "try again")),
                               ("amid its answer", amid, ("closed the connection", "try again")),
                               ("with a reason", with_reason, ("the gateway says", "no request came"))):
        for number, command in enumerate((["show", "counters"], ["reload"])):
            path = directory / f"{len(name)}-{number}.sock"
            with Listener(path, serve):
                code, out, err = cli.run(*command, "--control", path)
            tap.result(f"{command[0]}, and the gateway closes {name}: code 1, and why",
                       code == 1 and not out and all(word in err for word in words) and "is it running" not in err,
                       f"code {code}\n{out}{err}")


def seal_of(process):
    """How well a process of another user guards its memory: who owns what /proc has of it, and its limits."""
    folder = pathlib.Path(f"/proc/{process.pid}")
    limits = {line[:26].strip(): line[26:].split()[:2] for line in (folder / "limits").read_text().splitlines()}
    status = dict(line.split(":\t", 1) for line in (folder / "status").read_text().splitlines() if ":\t" in line)
    return (folder / "environ").stat().st_uid, limits["Max core file size"], status["NoNewPrivs"]


def check_seals(tap, gate96, directory):
    """Whatever reads keys leaves no core file and lets its own user not attach: proc(5), "dumpable"."""
    user = 65534 if os.geteuid() == 0 else None
    own = os.geteuid() if user is None else user
    directory.chmod(0o755)
    program = directory / "gate96"  # where that user may run it
    shutil.copy(gate96, program)
    pipe = directory / "pipe"
    os.mkfifo(pipe)
    pipe.chmod(0o644)
    owner = own if b"__asan_init" in program.read_bytes() else 0  # LeakSanitizer attaches

    def seal_at(*command):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, user=user)
        seal = None
        while seal is None and process.poll() is None:
            try:
                writer = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                time.sleep(0.01)  # it is not yet about to read
                continue
            seal = seal_of(process)
            os.close(writer)
        process.communicate(timeout=60)
        return seal

    tap.equal("a command without keys is not sealed", seal_at("cat", str(pipe))[0], own)
    for command in (["run", pipe], ["check", pipe], ["state", "init", pipe], ["export", "linux", pipe],
                    ["export", "wireshark", pipe], ["explain", pipe, "x.pcap", "--port", "lan"],
                    ["import", "linux", pipe]):
        tap.equal(f"{' '.join(map(str, command[:2 - (command[1] == pipe)]))}: no core, no debugger, no new privileges",
                  seal_at(str(program), *map(str, command)), (owner, ["0", "0"], "1"))


def check_outputs(tap, gate96):
    """A reader who has gone is no fault to tell of, a full disk is; neither is exit code 0."""
    site = EXAMPLES / "site-a.toml"
    for name, command in (("little", ["check", site]), ("much", ["export", "linux", site]), ("help", ["--help"])):
        for how, ignore in (("ignored", signal.SIG_IGN), ("as usual", signal.SIG_DFL)):
            reader, writer = os.pipe()
            os.close(reader)
            done = subprocess.run([gate96, *map(str, command)], stdout=writer, stderr=subprocess.PIPE, text=True,
                                  timeout=60, restore_signals=False,
                                  preexec_fn=lambda handler=ignore: signal.signal(signal.SIGPIPE, handler))
            os.close(writer)
            wanted = 1 if ignore == signal.SIG_IGN else -signal.SIGPIPE
            tap.equal(f"a reader who has gone, SIGPIPE {how}, {name}: not a word",
                      (done.returncode, "pipe" in done.stderr.lower()), (wanted, False))
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([gate96, *map(str, command)], stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=60)
        tap.result(f"a full disk, {name}: code 1, and why", done.returncode == 1 and "No space left" in done.stderr,
                   done)


def check_crypto(tap, cli):
    code, out, err = cli.run("crypto", "--json", "--why")
    rows = json.loads(out)["backends"]
    tap.equal("crypto --json: code 0", (code, err), (0, ""))
    tap.result("every backend has all its columns", all(set(row) == {
        "name", "lanes", "vector", "needs", "usable", "why_not", "self_test", "code_bytes", "cycles_per_block"}
        for row in rows), rows)
    tap.result("generic runs, needs nothing and passed", any(
        row["name"] == "generic" and row["usable"] and not row["needs"] and row["self_test"] == "passed" and
        row["cycles_per_block"] > 0 for row in rows), rows)
    tap.result("what cannot run here says why", all(row["usable"] or row["why_not"] for row in rows), rows)
    code, text, _ = cli.run("crypto")
    tap.result("the table names every backend", code == 0 and all(row["name"] in text for row in rows), text)


def check_service(tap, gate96, service, directory):
    """systemd's own judgement of the unit, with the built gateway in the place of the installed one."""
    unit = pathlib.Path(service).read_text()
    commands = [line.split("=", 1)[1].split()[0] for line in unit.splitlines() if line.startswith("Exec")]
    tap.equal("the service runs and reloads the installed gateway", {pathlib.Path(c).name for c in commands}, {"gate96"})
    path = directory / "gate96@.service"
    path.write_text(unit.replace(commands[0], str(pathlib.Path(gate96).absolute())))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(path)], capture_output=True, text=True)
    tap.equal("systemd finds nothing wrong with the service", (done.returncode, done.stderr), (0, ""))


def main(gate96, service):
    tap, cli = Tap(), Cli(gate96)
    with tempfile.TemporaryDirectory(prefix="gate96-cli-") as name:
        check_usage(tap, cli)
        check_config(tap, cli, pathlib.Path(name))
        check_others(tap, cli, pathlib.Path(name))
        check_broken_off(tap, cli, pathlib.Path(name))
        check_seals(tap, gate96, pathlib.Path(name))
        check_service(tap, gate96, service, pathlib.Path(name))
    check_outputs(tap, gate96)
    check_crypto(tap, cli)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
