"""Disks that are read-only or full, and boards that are large."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from guard.board import holding, view
from guard.board.cards import Board
from guard.board.journal import Record, encode
from guard.board.rejections import BoardError
from guard.model.call import ToolCall
from tests.board.boards import ALPHA, DESIGN, board, brought_to, tree
from tests.board.test_crash import OPERATIONS, state

NAMES = sorted(OPERATIONS)


def in_namespace(script: str) -> None:
    """Run this file's functions in a mount namespace of their own, where the test may mount what it likes."""
    run = ["unshare", "--mount", "--map-root-user", sys.executable, "-c", script]
    probe = ["unshare", "--mount", "--map-root-user", "true"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("this machine does not allow mount namespaces (unshare --mount --map-root-user)")
    done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def read_only(root: str, name: str) -> None:
    """Everything can be read, nothing can be changed, and the refusal names the file."""
    prepare, operation = OPERATIONS[name]
    opened = board(Path(root))
    card = prepare(opened)
    before = state(opened)
    mount("--bind", root, root)
    mount("-o", "remount,ro,bind", root)
    opened = board(Path(root))
    assert state(opened) == before
    assert view.listed(opened)["cards"]
    assert view.shown(opened, next(found for found in opened.each() if not isinstance(found, BoardError)))
    error = refusal(opened, card, operation)
    assert error is not None
    assert error.code == "storage-failed", error
    assert "Read-only file system" in str(error), error
    assert state(opened) == before


def full(root: str, name: str) -> None:
    """With less and less space left an operation succeeds, or is refused and the board is as it was."""
    prepare, operation = OPERATIONS[name]
    outcomes = []
    for pages in (0, 1, 2, 3, 5, 8, 13):
        mount("-t", "tmpfs", "-o", "size=512k", "tmpfs", root)
        opened = board(Path(root))
        card = prepare(opened)
        before = state(opened)
        left = fill(root, pages)
        error = refusal(opened, card, operation)
        outcomes.append("refused" if error else "done")
        if error:
            assert error.code == "storage-failed", error
            assert "No space left on device" in str(error), error
            assert state(opened) == before
            assert not os.listdir(os.path.join(root, ".devflow", "tmp"))
            os.unlink(left)
            operation(opened, card)
        assert state(opened) != before
        subprocess.run(["umount", root], check=True)
    print(name, outcomes)
    assert outcomes[-1] == "done", outcomes
    assert name in ("transition", "release", "archive") or outcomes[0] == "refused", outcomes


def fill(root: str, pages: int) -> str:
    """Leave so many pages of 4 KiB."""
    path = os.path.join(root, "fill")
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            file.truncate(max(0, file.tell() - 4096 * pages))
    return path


@pytest.mark.parametrize("name", NAMES)
def test_a_read_only_disk(tmp_path: Path, name: str) -> None:
    in_namespace(f"from tests.board.test_disk import read_only; read_only({str(tmp_path)!r}, {name!r})")


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk(tmp_path: Path, name: str) -> None:
    in_namespace(f"from tests.board.test_disk import full; full({str(tmp_path)!r}, {name!r})")


@pytest.mark.parametrize("name", ["transition", "attach", "take"])
def test_a_journal_that_cannot_grow(tmp_path: Path, name: str) -> None:
    """A write that is cut short by a limit on the size of files (no rights needed): the append is taken back."""
    prepare, operation = OPERATIONS[name]
    opened = board(tmp_path)
    card = prepare(opened)
    before, files = state(opened), tree(tmp_path)
    journal = Path(opened.store.folder(card)) / "journal.jsonl"
    child = os.fork()
    if child == 0:
        size = max(os.path.getsize(journal) + 40, len(DESIGN) + 40)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        error = refusal(opened, card, operation)
        os._exit(0 if error is not None and error.code == "storage-failed" else 9)
    assert os.waitpid(child, 0)[1] == 0
    assert state(opened) == before
    if name == "transition":
        assert tree(tmp_path) == files


def refusal(opened: Board, card: str, operation: Callable[[Board, str], object]) -> BoardError | None:
    try:
        operation(opened, card)
    except BoardError as error:
        return error
    return None


def fabricate(root: Path, count: int) -> Board:
    """A board of `count` cards with five records each, written without waiting for the disk."""
    opened = board(root)
    first = brought_to(opened, "draft")
    by = {"kind": "agent", "session": "s", "client": "c"}
    for number in range(2, count + 1):
        folder = root / ".devflow" / "tasks" / f"{number:04}-card-of-the-large-board"
        folder.mkdir()
        parent = {"parent": first.id} if number % 1000 == 0 else {}
        data = {"title": f"Card {number}", "body": "Text. " * 50, "stage": "draft", **parent}
        records = [Record(1, first.created, by, "created", data)]
        for rev, (start, to) in enumerate([("draft", "designing"), ("designing", "ready"), ("ready", "developing")], 2):
            records.append(Record(rev, first.created, by, "transition", {"from": start, "to": to}))
        (folder / "journal.jsonl").write_bytes(b"".join(encode([record]) for record in records))
    return opened


def measured(action: Callable[[], object]) -> float:
    """Seconds of processor time, which a busy machine does not stretch."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        action()
        times.append(time.process_time() - begun)
    return min(times)


def test_ten_thousand_cards(tmp_path: Path) -> None:
    """Listing, showing, creating and the hook on a large board; `-s` prints what they take, and memory is bounded."""
    times = {}
    for count in (1000, 10000):
        root = tmp_path / str(count)
        root.mkdir()
        opened = fabricate(root, count)
        call = ToolCall("claude", "Read", {}, str(root), "host")
        card = opened.card("0001-cache-the-index")
        assert len(view.listed(opened)["cards"]) == count
        assert len(view.shown(opened, card)["children"]) == count // 1000
        times[count] = {
            "list": measured(lambda opened=opened: view.listed(opened)),  # type: ignore[misc]
            "show": measured(lambda opened=opened, card=card: view.shown(opened, card)),  # type: ignore[misc]
            "create": measured(lambda opened=opened: opened.create(ALPHA, "Next", "")),  # type: ignore[misc]
            "hook": measured(lambda call=call: holding.steps_for(call, {})),  # type: ignore[misc]
        }
    script = (
        "from guard.board import view; from tests.board.boards import board\n"
        f"found = view.listed(board({str(tmp_path / '10000')!r}))\n"
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(len(found['cards']), peak.split()[1])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    count, memory = map(int, done.stdout.split())
    for size, found in times.items():
        print(f"{size} cards: " + ", ".join(f"{name} {1000 * seconds:.1f} ms" for name, seconds in found.items()))
    print(f"a process that lists {count} cards: {memory / 1024:.0f} MiB")
    assert count == 10_003  # each measured creation added one
    assert memory < 200 * 1024
