"""What every runtime does when the hook meets a fault; run by hand: python tests/bench/faults.py > docs/hook-faults.md

Each cell is a real hook process in mode always with a fault planted, and what the runtime does with its answer by the
rules of `guard/setup/reading.py`: `veto` if the call is refused, `RUNS` if not.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from guard.hooks.runtimes import NAMES
from guard.setup.probes import probe
from guard.setup.reading import REFUSED, effect

ROOT = Path(__file__).parents[2]
Answer = tuple[bytes, bytes, int]
HOOK = [sys.executable, "-m", "guard.cli.main", "hook", "--mode", "always", "--agent"]


class Machine:
    """A state folder of its own, a copy of the program to break, and a folder to work in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder / "state"
        self.state.mkdir()
        self.bare = folder / "bare"
        shutil.copytree(ROOT / "guard", self.bare / "guard", ignore=shutil.ignore_patterns("__pycache__"))

    def environ(self, **more: str) -> dict[str, str]:
        """The environment of a hook."""
        return {**os.environ, "XDG_STATE_HOME": str(self.state), "PYTHONPATH": str(ROOT), **more}

    def run(self, agent: str, raw: bytes, before: tuple[str, ...] = (), **more: str) -> Answer:
        """One hook process."""
        try:
            done = subprocess.run(
                [*before, *HOOK, agent],
                input=raw,
                capture_output=True,
                env=self.environ(**more),
                cwd=self.folder,
                timeout=12,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return b"", b"", 137
        return done.stdout, done.stderr, done.returncode

    def call(self, agent: str, command: str = "rm -f x") -> bytes:
        """A payload that is to be vetoed."""
        return probe(agent, str(self.folder), command)


def large(machine: Machine, agent: str) -> Answer:
    """20 MB of valid JSON around the call."""
    raw = machine.call(agent)
    return machine.run(agent, raw[:-1] + b', "more": "' + b"x" * (20 << 20) + b'"}')


def deep(machine: Machine, agent: str) -> Answer:
    """A hundred thousand levels."""
    return machine.run(agent, machine.call(agent)[:-1] + b', "more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")


def no_rules(machine: Machine, agent: str) -> Answer:
    """A program without its folder of rules, asked about a command that would pass."""
    return machine.run(agent, machine.call(agent, "ls"), PYTHONPATH=str(machine.bare))


def corrupt(machine: Machine, agent: str) -> Answer:
    """A store that is no database, asked about a command that would pass."""
    folder = machine.state / "devkit"
    (folder / "open").mkdir(parents=True, exist_ok=True)
    (folder / "open" / "session").touch()
    (folder / "engine.db").write_bytes(b"not a database" * 100)
    try:
        return machine.run(agent, machine.call(agent, "ls"))
    finally:
        shutil.rmtree(folder)


def closed(machine: Machine, agent: str) -> Answer:
    """Nobody reads standard output."""
    return machine.run(agent, machine.call(agent), ("sh", "-c", 'exec "$@" >&-', "sh"))


def told_to_stop(machine: Machine, agent: str) -> Answer:
    """SIGTERM while it waits for the payload."""
    process = subprocess.Popen(
        [*HOOK, agent],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=machine.environ(),
        cwd=machine.folder,
    )
    assert process.stdin is not None
    process.stdin.write(b"{")
    process.stdin.flush()
    time.sleep(1.0)
    process.send_signal(signal.SIGTERM)
    stdout, stderr = process.communicate()
    return stdout, stderr, process.returncode


def memory(limit: int) -> Callable[[Machine, str], Answer]:
    """So many MiB of address space."""
    return lambda machine, agent: machine.run(
        agent, machine.call(agent), ("sh", "-c", f'ulimit -v {limit << 10}; exec "$@"', "sh")
    )


def slow_disk(machine: Machine, agent: str) -> Answer:
    """Every file takes 20 ms to open."""
    inject = ("strace", "-o", "/dev/null", "-e", "trace=openat", "-e", "inject=openat:delay_enter=20000")
    return machine.run(agent, machine.call(agent), inject)


def slow_log(machine: Machine, agent: str) -> Answer:
    """The log takes a second to open."""
    path = machine.state / "devkit" / "decisions.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    inject = ("strace", "-o", "/dev/null", "-P", str(path), "-e", "inject=openat:delay_enter=1000000")
    return machine.run(agent, machine.call(agent), inject)


def full_disk(machine: Machine, agent: str) -> Answer:
    """The log cannot be written."""
    inject = ("strace", "-o", "/dev/null", "-P", str(machine.state / "devkit" / "decisions.jsonl"))
    return machine.run(agent, machine.call(agent), (*inject, "-e", "inject=write,openat:error=ENOSPC"))


FAULTS: dict[str, Callable[[Machine, str], Answer]] = {
    "invalid JSON": lambda machine, agent: machine.run(agent, b"{nonsense"),
    "empty input": lambda machine, agent: machine.run(agent, b""),
    "20 MB": large,
    "deep nesting": deep,
    "no rules": no_rules,
    "corrupt store": corrupt,
    "closed stdout": closed,
    "SIGTERM": told_to_stop,
    "16 MiB memory": memory(16),
    "12 MiB memory": memory(12),
    "slow disk": slow_disk,
    "slow log": slow_log,
    "full disk": full_disk,
}
HEAD = """# Faults

What becomes of a call when the hook meets a fault, in mode `always` (or while a step is open). Every cell is a real
process: `veto` where the runtime refuses the call by its own rules, `RUNS` where it does not. Made by
`python tests/bench/faults.py`; the runtimes' rules are in `guard/setup/reading.py`.

Where nothing is open and the mode is `step`, the same faults let the call run and say on standard error what happened.
"""
TAIL = """
*No rules* and *corrupt store* are asked about a command that would pass, the others about one that is vetoed. *Closed
stdout*: the JSON cannot be delivered, so exit code 2 and the reason on standard error are what is left; runtimes that
only read JSON run the call, unless their own switch for broken hooks was set (`strict` of Vibe, which `init` writes).
*16 MiB memory*: loading the classifier fails. *12 MiB memory*: not even the answer's form can be loaded, so exit code 2
and a line on standard error are what is left; with less, Python does not start, which is a broken hook. *Slow disk*:
every file takes 20 ms to open, so that the answer takes seconds; a disk on which Python alone takes longer than the
runtime waits ends in the runtime's timeout. *Slow log* and *full disk*: the answer is out before the log is opened.
"""


def main() -> None:
    """Prints the table; the number of seconds of each cell goes to standard error."""
    agents = sys.argv[1:] or NAMES
    print(HEAD)
    print("| runtime | " + " | ".join(FAULTS) + " |")
    print("|---" * (len(FAULTS) + 1) + "|")
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(Path(folder))
        for agent in agents:
            row = []
            for name, fault in FAULTS.items():
                began = time.perf_counter()
                answer = fault(machine, agent)
                row.append("veto" if effect(agent, *answer) == REFUSED else "RUNS")
                seconds = round(time.perf_counter() - began, 1)
                print(json.dumps([agent, name, row[-1], seconds, answer[2]]), file=sys.stderr)
            print(f"| {agent} | " + " | ".join(row) + " |", flush=True)
    print(TAIL, end="")


if __name__ == "__main__":
    main()
