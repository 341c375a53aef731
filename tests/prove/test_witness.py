"""The witness in a real sandbox: it sees every class of effect, and what only reads leaves it silent."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from guard.prove import demonstrations
from guard.prove.runner import run
from guard.prove.states import ALL, PLAIN, REPOSITORY, Job

pytestmark = pytest.mark.usefixtures("sandbox")
SILENT = [
    "cat a.txt | sort | uniq -c",
    "sort --parallel=2 -S 1k a.txt",
    "cat <<END\nx\nEND",
    "find . -name '*.py' | xargs grep -n main",
    "timeout 5 sleep 0.1",
    "nice -n 5 cat a.txt",
    "ls -laR ~",
    "id; whoami; uname -a; hostname",
    "diff a.txt b.txt; true",
    "python3 -I -m json.tool a.json",
    "sqlite3 -readonly app.db 'select * from t'",
    "(sleep 0.1 & wait)",
]


def secret(path: str) -> bool:
    return path.endswith((".ssh/id_ed25519", ".aws/credentials"))


def test_every_class_of_effect_is_seen() -> None:
    results = list(run(demonstrations.jobs(10.0), secret))
    assert len(results) == len(demonstrations.examples())
    assert demonstrations.unseen(results) == []


def test_reading_is_silent() -> None:
    jobs = [Job(number, command, state, (), 10.0) for number, command in enumerate(SILENT) for state in PLAIN]
    loud = [
        (SILENT[result.number], result.seen)
        for result in run(jobs, secret)
        if {kind for kind, _ in result.seen} - {None, "cache"} or result.code is None
    ]
    assert loud == []


SHARED_MEMORY = (
    "python3 -c 'import ctypes; c = ctypes.CDLL(None); i = c.shmget(KEY, 64, FLAGS | 0o600); c.shmctl(i, 0, None)'"
)
SOCKET = "python3 -c 'import os, socket; socket.socket(1).bind(\"PATH\"); AFTER'"
RESIDUES = {
    "mkdir /tmp/x": {"write"},
    "mkdir /tmp/tmux-1000": {"cache", "write"},  # its name is that of a folder for sockets, but tmux did not run
    "mkdir /tmp/x && rmdir /tmp/x": {"cache"},
    "ipcmk -M 64": {"system"},
    SHARED_MEMORY.replace("KEY", "0").replace("FLAGS", "0"): {"cache"},
    SHARED_MEMORY.replace("KEY", "77").replace("FLAGS", "0o3000"): {"cache"},
    SHARED_MEMORY.replace("KEY", "77").replace("FLAGS", "0o1000"): {"system"},
    SOCKET.replace("PATH", "/tmp/s").replace("AFTER", 'os.unlink("/tmp/s")'): {"cache"},
    SOCKET.replace("PATH", "/tmp/s").replace("AFTER", ""): {"write"},
    SOCKET.replace("PATH", "s").replace("AFTER", 'os.unlink("s")'): {"write", "delete"},
    SOCKET.replace("PATH", "\\0s").replace("AFTER", ""): set(),
}
"""What a command leaves, or makes for itself and removes: only the latter is `cache`, and only where it is its own."""


def test_what_is_a_residue_and_what_a_change() -> None:
    jobs = [Job(number, command, PLAIN[0], (), 10.0) for number, command in enumerate(RESIDUES)]
    results = sorted(run(jobs, secret))
    kinds = [{kind for kind, _ in result.seen if kind} for result in results]
    assert dict(zip(RESIDUES, kinds, strict=True)) == RESIDUES
    assert {result.code for result in results} == {0}


@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")
def test_tmux_leaves_the_folder_for_its_sockets() -> None:
    (result,) = run([Job(0, "tmux ls", PLAIN[0], (), 10.0)], secret)
    assert {kind for kind, _ in result.seen} - {None} == {"cache"}
    assert ("cache", f"left the empty folder /tmp/tmux-{PLAIN[0].uid}") in result.seen


def test_git_status_refreshes_the_index_and_nothing_else() -> None:
    jobs = [Job(number, "git status", state, (), 10.0) for number, state in enumerate(ALL)]
    results = {result.state: result for result in run(jobs, secret)}
    assert {state: {kind for kind, _ in result.seen} for state, result in results.items()} == {
        state: {"cache"} if state in REPOSITORY else set() for state in ALL
    }
    refreshed = ("cache", "refreshed the stat data of the git index")
    assert all(refreshed in results[state].seen for state in REPOSITORY if state.stat == "stale")


def test_nothing_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    results = list(run([Job(0, "touch x", state, (), 10.0) for state in PLAIN], secret))
    assert [result.code for result in results] == [0, 0]
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_does_not_end_is_ended() -> None:
    results = list(run([Job(0, "sleep 60", PLAIN[0], (), 1.0)], secret))
    assert [(result.code, result.seen) for result in results] == [(None, ())]
    assert results[0].seconds < 5


def test_programs_that_are_not_installed_are_named() -> None:
    commands = ("no-such-program x", "timeout 5 no-such-program", "cat a.txt | no-such-program")
    jobs = [Job(number, command, PLAIN[0], (), 10.0) for number, command in enumerate(commands)]
    assert {result.missing for result in run(jobs, secret)} == {("no-such-program",)}
