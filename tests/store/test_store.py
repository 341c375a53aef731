"""The store alone: creation, schema, and what happens on file systems that are full or cannot be written."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from guard.model.errors import StoreError, UsageError
from guard.store.connect import note_folder, opened, transaction
from guard.store.location import FILE, KNOWN, OPEN, all_folders, folders
from guard.store.migrations import MIGRATIONS
from guard.store.read import rows
from guard.store.repair import problem, repair
from guard.workflow import service

Environ = dict[str, str]
Write = Callable[[str, str], str]
ENGINE = os.path.join(os.path.dirname(sys.executable), "devkit-engine")
INSERT = "INSERT INTO sessions VALUES (?, 'w', 'running', 1, '{}', '[]', NULL, '/r', 'h', NULL, NULL, NULL, 0, 0)"
FLOW = "name: flow\ndescription: A flow.\nsteps: [{id: a, prompt: x}, {id: b, prompt: y}]\n"


PLACES = [
    ({"HOME": "/h"}, ("/h/.local/state/devkit",)),
    ({"HOME": "/h", "XDG_STATE_HOME": "/s"}, ("/s/devkit",)),
    ({"HOME": "/h", "XDG_STATE_HOME": "s"}, ("/h/.local/state/devkit",)),
    ({"HOME": "/h", "CLAUDE_PLUGIN_DATA": "/p"}, ("/p", "/h/.local/state/devkit")),
    ({"HOME": "/h", "CLAUDE_PLUGIN_DATA": "p"}, ("/h/.local/state/devkit",)),
    ({"HOME": "/h", "CLAUDE_PLUGIN_DATA": "/s/devkit", "XDG_STATE_HOME": "/s"}, ("/s/devkit",)),
]


@pytest.mark.parametrize(("environ", "expected"), PLACES)
def test_places(environ: Environ, expected: tuple[str, ...]) -> None:
    assert folders(environ) == expected
    assert all_folders(environ) == expected


def test_a_new_store_has_the_newest_schema(tmp_path: Path) -> None:
    folder = str(tmp_path / "state")
    with opened(folder) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert os.listdir(folder) == [FILE]
    assert rows(folder, "SELECT * FROM sessions") == []


def test_a_store_from_the_future_is_not_touched(tmp_path: Path) -> None:
    folder = str(tmp_path / "state")
    with opened(folder) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="written by a newer devkit-engine"), opened(folder):
        pass


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    folder = str(tmp_path / "state")
    with opened(folder) as db:
        with contextlib.suppress(ZeroDivisionError), transaction(db):
            db.execute(INSERT, ("a",))
            raise ZeroDivisionError
        with transaction(db):
            db.execute(INSERT, ("b",))
    assert rows(folder, "SELECT id FROM sessions") == [("b",)]


def test_no_store_has_no_rows(tmp_path: Path) -> None:
    assert rows(str(tmp_path / "none"), "SELECT 1") == []
    (tmp_path / "file").touch()
    assert rows(str(tmp_path / "file"), "SELECT 1") == []


def test_odd_names_of_folders(tmp_path: Path) -> None:
    folder = str(tmp_path / "a b?c#d%20'e&f")
    with opened(folder) as db, transaction(db):
        db.execute(INSERT, ("x",))
    assert rows(folder, "SELECT id FROM sessions") == [("x",)]


CREATE = """\
import sys, time
from guard.store.connect import note_folder, opened, transaction
folder, name, moment = sys.argv[1:]
time.sleep(max(0, float(moment) - time.time()))
with opened(folder) as db, transaction(db):
    db.execute(INSERT, (name,))
""".replace("INSERT", repr(INSERT))


def test_twenty_engines_create_one_store(tmp_path: Path) -> None:
    folder, moment = str(tmp_path / "state"), str(time.time() + 2)
    names = [f"{number:02}" for number in range(20)]
    running = [subprocess.Popen([sys.executable, "-c", CREATE, folder, name, moment]) for name in names]
    assert [process.wait(60) for process in running] == [0] * 20
    assert rows(folder, "SELECT id FROM sessions ORDER BY id") == [(name,) for name in names]
    assert {FILE} <= set(os.listdir(folder)) <= {FILE, f"{FILE}-wal", f"{FILE}-shm"}


def test_problems_are_named_and_repaired(tmp_path: Path) -> None:
    folder = str(tmp_path / "state")
    path = os.path.join(folder, FILE)
    assert problem(folder) is None
    with opened(folder) as db, transaction(db):
        db.execute(INSERT, ("x",))
    assert problem(folder) is None
    Path(path).write_bytes(b"x" * 8192)
    assert problem(folder) == f"{path}: file is not a database"
    assert repair(folder, "1") == [f"{path}.1"]
    assert problem(folder) is None
    assert Path(f"{path}.1").read_bytes() == b"x" * 8192
    assert rows(folder, "SELECT id FROM sessions") == []


def test_nothing_is_repaired_where_nothing_is(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no store in"):
        repair(str(tmp_path / "none"), "1")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_a_pipe_in_the_place_of_a_file_holds_nobody_up(tmp_path: Path, suffix: str) -> None:
    folder = str(tmp_path / "state")
    with opened(folder):
        pass
    path = os.path.join(folder, FILE + suffix)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    os.mkfifo(path)
    (tmp_path / "state" / OPEN).mkdir()
    assert rows(folder, "SELECT id FROM sessions") == [], "no session is marked as running"
    (tmp_path / "state" / OPEN / "0123456789ab").touch()
    with pytest.raises(StoreError, match="not a regular file"):
        rows(folder, "SELECT id FROM sessions")
    with pytest.raises(StoreError, match="not a regular file"), opened(folder):
        pass
    assert problem(folder) == f"{path}: not a regular file"
    repair(folder, "1")
    assert (problem(folder), rows(folder, "SELECT id FROM sessions")) == (None, [])


def test_a_pipe_in_the_place_of_the_list_of_stores_holds_nobody_up(environ: Environ) -> None:
    user = Path(environ["XDG_STATE_HOME"]) / "devkit"
    user.mkdir(parents=True)
    os.mkfifo(user / KNOWN)
    assert all_folders(environ) == (str(user),)
    note_folder("/elsewhere", environ)
    os.unlink(user / KNOWN)
    for folder in ("/elsewhere", "/else\udcffwhere"):
        note_folder(folder, environ)
    assert all_folders(environ) == (str(user), "/elsewhere", "/else\udcffwhere")


def test_a_repair_on_a_full_disk_changes_nothing(environ: Environ, tmp_path: Path) -> None:
    done = inside(
        """
        mkdir full && mount -t tmpfs -o size=64k tmpfs full && mkdir -p full/devkit/open
        echo broken > full/devkit/engine.db; touch full/devkit/open/0123456789ab
        dd if=/dev/zero of=full/rest bs=1k 2> /dev/null || :
        code=0; "$ENGINE" doctor --repair "$PWD/full/devkit" 2>&1 || code=$?
        echo "code $code"; ls full/devkit full/devkit/open
        """,
        environ,
        tmp_path,
    )
    said, *rest = done.stdout.splitlines()
    assert said.startswith("devkit-engine: "), done.stdout + done.stderr
    assert "nothing was saved" in said or "No space left" in said
    assert rest == ["code 1", "full/devkit:", "engine.db", "open", "", "full/devkit/open:", "0123456789ab"]


def inside(script: str, environ: Environ, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a shell script in a mount namespace of its own, where it may mount."""
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    variables = {**environ, "ENGINE": ENGINE, "PYTHON": sys.executable}
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-ec", script],
        env=variables,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("mounting is not possible here")
    return done


BOUND = """\
$PYTHON -c '
import os
from guard.model.call import ToolCall
from guard.model.errors import StoreError
from guard.workflow import grants_for
try:
    print("bound to", [step.step for step in grants_for(ToolCall("claude", "Bash", {}, os.getcwd(), "H"), os.environ)])
except StoreError as error:
    print("error", error)
'
"""


def test_a_full_disk(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("flow", FLOW)
    script = (
        'mkdir -p "$XDG_STATE_HOME"; mount -t tmpfs -o size=96k tmpfs "$XDG_STATE_HOME"\n'
        "$ENGINE start flow > /dev/null\n"
        'dd if=/dev/zero of="$XDG_STATE_HOME/fill" bs=1k 2> /dev/null || :\n'
        "$ENGINE advance --output x 2>&1 || echo code $?\n" + BOUND + "rm $XDG_STATE_HOME/fill; "
        "$ENGINE advance --output x | head -2 | tail -1; $ENGINE abort --reason x | head -2 | tail -1\n" + BOUND
    )
    done = inside(script, environ, repository)
    lines = done.stdout.splitlines()
    path = os.path.join(environ["XDG_STATE_HOME"], "devkit")
    assert lines[0].startswith(f"devkit-engine: {path}/engine.db: nothing was saved (")
    assert lines[0].endswith(f"run `df {path}`")
    assert lines[1:] == ["code 1", "bound to ['a']", "step 2/2: b", "workflow flow: aborted", "bound to []"]


def test_a_disk_that_is_full_from_the_start(environ: Environ, repository: Path, workflow_file: Write) -> None:
    workflow_file("flow", FLOW)
    script = (
        'mkdir -p "$XDG_STATE_HOME"; mount -t tmpfs -o size=16k tmpfs "$XDG_STATE_HOME"\n'
        'dd if=/dev/zero of="$XDG_STATE_HOME/fill" bs=1k 2> /dev/null || :\n'
        "$ENGINE start flow 2>&1 || echo code $?\n" + BOUND + "rm $XDG_STATE_HOME/fill; "
        'mount -o remount,size=1m "$XDG_STATE_HOME"; $ENGINE start flow | head -2 | tail -1\n' + BOUND
    )
    lines = inside(script, environ, repository).stdout.splitlines()
    assert lines[0].startswith("devkit-engine: ")
    assert lines[1:] == ["code 1", "bound to []", "step 1/2: a", "bound to ['a']"]


@pytest.mark.parametrize("engine_killed", [False, True])
def test_a_store_that_cannot_be_written(
    environ: Environ, repository: Path, workflow_file: Write, engine_killed: bool
) -> None:
    workflow_file("flow", FLOW)
    session = service.start("flow", "", service.Owner(str(repository), "shell", person=True), environ)
    if engine_killed:  # a log that nobody closed is left beside the file
        keep = sqlite3.connect(os.path.join(session.folder, FILE))
        keep.execute("UPDATE sessions SET host = 'other'")
        keep.commit()
        for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
            shutil.copy(os.path.join(session.folder, name), os.path.join(session.folder, name + ".kept"))
        keep.close()
        for name in (FILE, f"{FILE}-wal"):
            os.replace(os.path.join(session.folder, name + ".kept"), os.path.join(session.folder, name))
    script = (
        'mount --bind "$XDG_STATE_HOME" "$XDG_STATE_HOME"; mount -o remount,ro,bind "$XDG_STATE_HOME"\n'
        + BOUND
        + "$ENGINE advance --output x 2>&1 || echo code $?\n$ENGINE session-status 2>&1 | cut -c 1-20\n"
    )
    lines = inside(script, environ, repository).stdout.splitlines()
    path = os.path.join(session.folder, FILE)
    if engine_killed:
        # The log cannot be read without writing beside it: a veto that says so, not a guess.
        assert lines[0].startswith(f"error {path}: the workflow state cannot be read (unable to open database file)")
        return
    assert lines[0] == "bound to ['a']"
    assert lines[1].startswith(f"devkit-engine: {path}: the store cannot be written (")
    assert lines[1].endswith(f"run `ls -ld {session.folder} {path}`")
    assert lines[2:] == ["code 1", '{"sessions": [{"id":']
