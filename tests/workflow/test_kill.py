"""The engine is killed before each of its writes; what is left is the old state or a new one, and work goes on.

strace delivers SIGKILL when the engine enters its n-th system call of a kind, for every kind that changes a file and
every n there is. Steps that run a command have a state of their own in between: the command step is open.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from guard.model.call import ToolCall
from guard.workflow import grants_for, service
from guard.workflow.sessions import Session

Environ = dict[str, str]
CALLS = (
    *("write", "writev", "pwrite64", "fsync", "fdatasync", "ftruncate", "fallocate"),
    *("rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "link", "linkat"),
)
FLOW = """\
name: flow
description: A flow.
steps:
  - {id: look, prompt: 'Look'}
  - {id: test, command: 'echo tested'}
  - {id: work, prompt: 'Work', loop: {max: 2, gate: 'echo gate'}}
  - {id: end, prompt: 'Report'}
"""
PROGRAM = """\
import os, sys
from guard.workflow import service
from guard.workflow.service import Owner
operation, repository = sys.argv[1:]
if operation == "start":
    service.start("flow", "x", Owner(repository, "shell", person=True), os.environ)
elif operation == "abort":
    service.abort(service.only_one(repository, os.environ), "enough")
else:
    service.proceed(service.only_one(repository, os.environ), "out", os.environ)
"""
OPERATIONS = [
    # name, how many advances come before it, the open steps that may be left (None: no session)
    ("start", None, {None, "look"}),
    ("advance", 0, {"look", "test", "work"}),
    ("advance", 1, {"work", "end"}),
    ("advance", 2, {"end", None}),
    ("abort", 1, {"work", None}),
]


def traced(options: list[str], operation: str, repository: Path, environ: Environ) -> int:
    command = ["strace", *options, sys.executable, "-c", PROGRAM, operation, str(repository)]
    return subprocess.run(command, env=environ, capture_output=True, check=False).returncode


def kill_points(operation: str, repository: Path, environ: Environ, log: Path) -> Iterator[tuple[str, int]]:
    """(system call, number) for each that the operation makes when nothing stops it."""
    traced(["-o", str(log), "-e", "trace=" + ",".join(CALLS)], operation, repository, environ)
    found = Counter(re.findall(r"^(\w+)\(", log.read_text(), re.MULTILINE))
    for call, count in found.items():
        yield from ((call, number) for number in range(1, count + 1))


@pytest.mark.parametrize(
    ("operation", "advances", "left"), OPERATIONS, ids=["-".join(map(str, o[:2])) for o in OPERATIONS]
)
def test_killed_at_every_write(
    tmp_path: Path,
    environ: Environ,
    repository: Path,
    operation: str,
    advances: int | None,
    left: set[str | None],
) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    Path(environ["DEVKIT_WORKFLOWS"], "flow.yaml").write_text(FLOW)
    state, before = Path(environ["XDG_STATE_HOME"]), tmp_path / "before"
    state.mkdir()
    if advances is not None:
        session = service.start("flow", "x", service.Owner(str(repository), "shell", person=True), environ)
        for _ in range(advances):
            session = service.proceed(session, "out", environ)
    shutil.copytree(state, before)
    points = list(kill_points(operation, repository, environ, tmp_path / "log"))
    if not points:
        pytest.skip("strace may not trace here")
    seen = set()
    for call, number in points:
        shutil.rmtree(state)
        shutil.copytree(before, state)
        where = f"{call} {number}"
        injection = f"inject={call}:signal=SIGKILL:when={number}"
        code = traced(["-o", "/dev/null", "-e", "trace=" + call, "-e", injection], operation, repository, environ)
        assert code == -9 or code == 137, where
        seen.add(checked(environ, repository, where))
        assert seen <= left, where
        recovered(environ, repository, operation, where)
    assert None in seen or operation != "start"
    print(f"{operation} after {advances} advances: {len(points)} kill points, left at {sorted(map(str, seen))}")


def checked(environ: Environ, repository: Path, where: str) -> str | None:
    """The open step that is left; what the hook says is the same as what the store says."""
    found = service.listed(environ)
    steps = grants_for(ToolCall("claude", "Bash", {}, str(repository), "H"), environ)
    names = [one.workflow.steps[one.state.step].id for one in found]
    assert [step.step for step in steps] == names, where
    assert len(names) <= 1, where
    markers = Path(environ["XDG_STATE_HOME"], "devkit", "open")
    marked = {path.name for path in markers.iterdir()} if markers.exists() else set()
    assert {one.id for one in found} <= marked, where
    return names[0] if names else None


def recovered(environ: Environ, repository: Path, operation: str, where: str) -> None:
    """The same operation again does what it would have done; afterwards everything is free and nothing is left over."""
    found = service.listed(environ)
    session: Session
    if found:
        (session,) = found
        if operation == "advance":
            session = service.proceed(session, "out", environ)
    else:
        session = service.start("flow", "x", service.Owner(str(repository), "shell", person=True), environ)
    if session.status == "running":
        service.abort(session, "enough")
    assert service.listed(environ) == [], where
    assert os.listdir(Path(environ["XDG_STATE_HOME"], "devkit", "open")) == [], where
    assert grants_for(ToolCall("claude", "Bash", {}, str(repository), "H"), environ) == (), where
