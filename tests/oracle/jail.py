"""A real bash that shows what a script runs, in a place where it can do no harm.

Every script runs in an empty folder with no PATH and all builtins off, so that every command it tries to run ends in
`command_not_found_handle`, which writes the argv to a log. All of it is in a bubblewrap sandbox: read-only root, no
network, own processes; only the jail's folder can be written. Without bubblewrap `available()` is False.

Run as a program it is the worker inside the sandbox: scripts as JSON lines on standard input, results on output.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple

FOLDER = "/tmp/jail/w"
"""Where scripts run, as they see it."""

_BASH = "/bin/bash"
_LOG = 250
_ALIVE = 251
_SECONDS = 0.4
_NEWLINE = "\2nl\3"
# `printf` writes the log, in one piece as long as there is no newline in it (`_NEWLINE` stands for one); `break` and
# `continue` end loops. A command whose name begins with `f` fails, or, inverted, every other.
_PREAMBLE = r"""
command_not_found_handle() {
  { set_aside=$(</dev/stdin); } 2>/dev/null
  printf '%s\0' "$#" "${@//$'\n'/$'\2nl\3'}" "${set_aside//$'\n'/$'\2nl\3'}" >&250
  if [[ $JAIL_INVERTED ]]; then [[ $1 == f* ]]; else [[ $1 != f* ]]; fi
}
unset BASH_ENV
PATH=/nowhere
enable -n $(enable -a | while read -r _ name; do
  [[ $name == @(printf|break|continue|enable|ENABLED) ]] || printf '%s ' "$name"; done)
enable -n enable
"""


class Run(NamedTuple):
    """What bash did: the argv of every command it tried to run, and the files that are in the folder afterwards.

    `inputs` are the standard inputs of the commands, without newlines at the end.
    """

    commands: list[list[str]]
    inputs: list[str]
    files: list[str]
    finished: bool


def available() -> bool:
    """Whether the sandbox works on this machine."""
    if not (os.path.exists(_BASH) and shutil.which("bwrap")):
        return False
    command = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


class Jail:
    """Runs scripts one after another in one sandbox. Use as a context manager."""

    def __enter__(self) -> Jail:
        self.folder = tempfile.mkdtemp()
        command = [
            "bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
            "--bind", self.folder, "/tmp/jail", "--unshare-all", "--die-with-parent", "--new-session",
            "--ro-bind", os.path.abspath(__file__), "/tmp/worker.py",
            os.path.realpath(sys.executable), "-I", "-S", "/tmp/worker.py",
        ]  # fmt: skip
        self.worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        assert self.worker.stdin is not None
        self.worker.stdin.close()
        self.worker.wait(timeout=10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, script: str, inverted: bool = False) -> None:
        assert self.worker.stdin is not None
        self.worker.stdin.write(json.dumps([script, inverted]) + "\n")
        self.worker.stdin.flush()

    def receive(self) -> Run:
        assert self.worker.stdout is not None
        return Run(*json.loads(self.worker.stdout.readline()))

    def run(self, scripts: Iterable[str]) -> Iterator[tuple[str, Run]]:
        """The scripts with what they did, every second one inverted; bash works on one while the next are read."""
        waiting: list[str] = []
        for number, script in enumerate(scripts):
            self.send(script, bool(number % 2))
            waiting.append(script)
            if len(waiting) > 8:
                yield waiting.pop(0), self.receive()
        for script in waiting:
            yield script, self.receive()


def _work() -> None:
    os.chdir("/tmp/jail")
    with open("/tmp/preamble", "w", encoding="utf-8") as file:
        file.write(_PREAMBLE)
    null = os.open("/dev/null", os.O_RDWR)
    for line in sys.stdin:
        script, inverted = json.loads(line)
        print(json.dumps(_run(script, inverted, null)), flush=True)


def _run(script: str, inverted: bool, null: int) -> Run:
    shutil.rmtree("w", ignore_errors=True)
    os.mkdir("w")
    os.chdir("w")
    log = os.open("/tmp/log", os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    reading, writing = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, log, _LOG),
        (os.POSIX_SPAWN_DUP2, writing, _ALIVE),
        *((os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)),
    ]
    environment = {
        "BASH_ENV": "/tmp/preamble", "HOME": "/home/u", "PATH": "/nowhere", "LC_ALL": "C.UTF-8",
        "JAIL_INVERTED": "1" if inverted else "",
    }  # fmt: skip
    pid = os.posix_spawn(_BASH, [_BASH, "-c", script], environment, file_actions=actions, setpgroup=0)
    os.close(writing)
    # The pipe ends when the last process that the script has started is gone.
    finished = bool(select.select([reading], [], [], _SECONDS)[0])
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(reading)
    os.close(log)
    with open("/tmp/log", "rb") as file:
        fields = file.read(200_000).decode("utf-8", "surrogateescape").split("\0")[:-1]
    os.chdir("..")
    records = list(_records(fields))
    return Run(
        [record[:-1] for record in records], [record[-1] for record in records], sorted(os.listdir("w")), finished
    )


def _records(fields: list[str]) -> Iterator[list[str]]:
    """For each command its argv and its standard input."""
    i = 0
    while i < len(fields):
        count = int(fields[i]) + 1
        yield [field.replace(_NEWLINE, "\n") for field in fields[i + 1 : i + 1 + count]]
        i += 1 + count


if __name__ == "__main__":
    _work()
