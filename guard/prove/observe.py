"""Watches one command from the first process of its sandbox, and says what it did."""

from __future__ import annotations

import os
import select
import signal
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from guard.model.effect import Kind
from guard.prove import fixtures, index, snapshot, trace, witness
from guard.prove.seen import Seen, Surroundings
from guard.prove.snapshot import Change, Tree
from guard.prove.states import Job

Layers = dict[str, tuple[str, str | None]]
_SAID, _SHOWN = 2000, 300
_GRACE = 1.2
_GIT_INDEX = "user/project/.git/index"


class Scene(NamedTuple):
    """What the first process has put up. `owner` is who the command runs as; `secret` knows the credential files."""

    root: str
    layers: Layers
    bystander: int
    owner: tuple[int, int]
    secret: Callable[[str], bool]


def observe(job: Job, scene: Scene, start: Callable[[int, int], int]) -> list[Any]:
    """Runs the job's command by `start` (given a log and an output to write to); the fields of a Result."""
    root, layers = scene.root, scene.layers
    before = {name: snapshot.take(kept) for name, (kept, _) in layers.items()}
    with tempfile.TemporaryFile(dir=os.path.dirname(root)) as log:
        os.fchown(log.fileno(), *scene.owner)
        reading, writing = os.pipe()
        began = time.monotonic()
        tracer = start(log.fileno(), writing)
        os.close(writing)
        limit = job.keep or _SAID
        code, said = _wait(tracer, reading, root, log.fileno(), began + job.timeout, limit)
        seconds = time.monotonic() - began
        log.seek(0)
        traced = trace.read(log.read().decode("utf-8", "backslashreplace").splitlines())
    changes, same_index = _changes(before, layers)
    around = Surroundings(root, fixtures.PROJECT, scene.secret, tuple(changes))
    seen = witness.of_changes(changes, same_index)
    seen += witness.of_trace(traced, around, min(traced.started, default=0))
    seen += _bystander(scene.bystander)
    pairs = [(one.kind.value if one.kind else None, one.what) for one in dict.fromkeys(seen)]
    return [job.number, job.state, code, round(seconds, 3), pairs, _missing(said), said[-(job.keep or _SHOWN) :], ""]


def _wait(tracer: int, output: int, root: str, log: int, deadline: float, limit: int) -> tuple[int | None, str]:
    """Waits for the command, at most until the deadline; its exit code and the beginning of what it printed."""
    kept = b""
    main = 0
    gone = 0.0
    code: int | None = None
    reader: int | None = output
    while True:
        if reader is not None and select.select([reader], [], [], 0.02)[0]:
            chunk = os.read(reader, 65536)
            kept = (kept + chunk)[:limit]
            if not chunk:
                reader = None
        elif reader is None:
            time.sleep(0.005)
        process, status = os.waitpid(tracer, os.WNOHANG)
        if process:
            code = os.waitstatus_to_exitcode(status)
            break
        moment = time.monotonic()
        main = main or _first_number(os.pread(log, 16, 0))
        if main and not gone and not os.path.exists(f"{root}/proc/{main}"):
            gone = moment
        if moment > deadline or (gone and moment > gone + _GRACE):
            os.kill(tracer, signal.SIGKILL)
            os.waitpid(tracer, 0)
            break
    os.close(output)
    return code, kept.decode("utf-8", "replace")


def _first_number(data: bytes) -> int:
    word = data.split(b" ")[0]
    return int(word) if word.isdigit() and b" " in data else 0


def _changes(before: dict[str, Tree], layers: Layers) -> tuple[list[Change], bool]:
    """All changes by absolute path, and whether the git index says what it said before."""
    found = []
    for name, (kept, lower) in layers.items():
        for change in snapshot.changes(before[name], snapshot.take(kept), lower):
            path = os.path.normpath(f"{name}/{change.path}")
            if not (name in ("/tmp", "/dev/shm") and change.path == "." and change.what == "touched"):
                found.append(change._replace(path=path))
    kept, lower = layers["/home"]
    new, old = f"{kept}/{_GIT_INDEX}", f"{lower}/{_GIT_INDEX}"
    same = os.path.exists(old) and (not os.path.lexists(new) or index.only_refreshed(_bytes(old), _bytes(new)))
    return found, same


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _bystander(process: int) -> list[Seen]:
    """Whether another process of the same user is as it was."""
    ended, status = os.waitpid(process, os.WNOHANG | os.WUNTRACED)
    if ended:
        return [Seen(Kind.PROCESS, f"another process of the user got a signal ({status})")]
    if os.getpriority(os.PRIO_PROCESS, process) != os.getpriority(os.PRIO_PROCESS, 0):
        return [Seen(Kind.PROCESS, "another process of the user got another priority")]
    return []


def _missing(said: str) -> list[str]:
    """Programs that the shell, or a wrapper, did not find."""
    found = []
    for line in said.splitlines():
        head, mark, _ = line.rpartition(": command not found")
        if mark:
            found.append(head.rpartition(": ")[2])
        elif line.startswith(("timeout: ", "env: ", "nice: ")) and line.endswith(": No such file or directory"):
            found.append(line.split(": ")[-2].removeprefix("failed to run command ").strip("'\u2018\u2019"))
    return sorted(set(found))
