"""The process is killed at every write of an operation: the board is then the old or the new one.

The operation runs in a child process that counts its writing system calls and sends itself SIGKILL before the Nth,
after it, or, for `write`, when half of the bytes or the first line are written; N goes up until the operation survives.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guard.board import doctor
from guard.board.cards import Board
from guard.board.files import FileStore
from guard.board.rejections import BoardError
from tests.board.boards import ALPHA, BETA, DESIGN, board, brought_to

CALLS = ("open", "write", "fsync", "rename", "mkdir", "unlink", "ftruncate")
PARTS: dict[str, Callable[[bytes], bytes]] = {
    "half": lambda data: data[: len(data) // 2],
    "line": lambda data: data[: data.find(b"\n") + 1],
}
Operation = Callable[[Board, str], object]


def arrange_nothing(opened: Board) -> str:
    opened.create(BETA, "Somebody else's", "")
    return ""


def arrange(stage: str) -> Callable[[Board], str]:
    return lambda opened: brought_to(opened, stage).id


def arrange_held(opened: Board) -> str:
    card = brought_to(opened, "ready")
    return opened.take(ALPHA, card.id, card.revision)[0].id


OPERATIONS: dict[str, tuple[Callable[[Board], str], Operation]] = {
    "create": (arrange_nothing, lambda b, _: b.create(ALPHA, "New", "Body", parent="0001-somebody-else-s")),
    "transition": (arrange("draft"), lambda b, card: b.transition(ALPHA, card, "designing", 1)),
    "take": (arrange("ready"), lambda b, card: b.take(ALPHA, card, 4)),
    "attach": (arrange("designing"), lambda b, card: b.attach(ALPHA, card, 2, kind="design", content=DESIGN)),
    "release": (arrange_held, lambda b, card: b.release(ALPHA, card, 6)),
    "takeover": (arrange_held, lambda b, card: b.takeover(BETA, card, 6, force=True)),
    "archive": (arrange("done"), lambda b, card: b.archive(ALPHA, card, 8)),
}


def state(opened: Board) -> list[Any]:
    """The board but for times and lease ids, and who holds what, by the journals."""
    found: list[Any] = []
    for card in opened.each():
        if isinstance(card, BoardError):
            found.append(card.code)
            continue
        texts = [opened.text(card, entry) for entry in card.artifacts]
        holding = opened.holding(card)
        records = [(record.type, record.by["session"]) for record in card.history]
        found.append((card.id, card.stage, card.revision, holding and holding.session, records, texts))
    return found


def killed(opened: Board, operation: Operation, card: str, number: int, moment: str) -> bool:
    """Run the operation in a child that kills itself at call `number`; False where it came to its end."""
    child = os.fork()
    if child == 0:
        try:
            watch(number, moment)
            operation(opened, card)
        except BaseException:
            os._exit(9)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0, "the operation failed in the child"
    return os.WIFSIGNALED(status)


def watch(number: int, moment: str) -> None:
    left = number

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            if name == "open" and not arguments[1] & os.O_CREAT:
                return real(*arguments, **options)
            left -= 1
            if left == 0:
                if name == "write" and moment in PARTS:
                    real(arguments[0], PARTS[moment](bytes(arguments[1])))
                elif moment == "after":
                    real(*arguments, **options)
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)

        return call

    for name in CALLS:
        setattr(os, name, counted(name, getattr(os, name)))


@pytest.mark.parametrize("name", OPERATIONS)
def test_killed_at_every_write(tmp_path: Path, name: str) -> None:
    prepare, operation = OPERATIONS[name]
    (tmp_path / "start").mkdir()
    card = prepare(board(tmp_path / "start"))
    old = state(board(tmp_path / "start"))
    shutil.copytree(tmp_path / "start", tmp_path / "end")
    operation(board(tmp_path / "end"), card)
    new = state(board(tmp_path / "end"))
    assert old != new
    seen = {"old": 0, "new": 0, "torn": 0}
    for number in range(1, 100):
        survived = True
        for moment in ("before", "after", "half", "line"):
            root = tmp_path / f"{number}-{moment}"
            shutil.copytree(tmp_path / "start", root)
            if killed(board(root), operation, card, number, moment):
                survived = False
                seen[judged(root, card, old, new, operation)] += 1
            shutil.rmtree(root)
        if survived:
            break
    print(f"{name}: killed {sum(seen.values())} times at {number - 1} writes: {seen}")
    assert seen["old"] > 0
    assert seen["new"] > 0
    assert seen["torn"] <= 2
    assert number > 5


def judged(root: Path, card: str, old: list[Any], new: list[Any], operation: Operation) -> str:
    """Which board is left; where it is the old one, the same operation must still succeed."""
    opened = board(root)
    found, verdict = state(opened), "old"
    if found != old and found != new:
        assert found.count("invalid-journal") == 1
        store = FileStore(opened.store.root)
        torn = [entry for entry in doctor.examine(opened, store) if entry.repairable]
        assert [entry.level for entry in torn] == ["fault"]
        saved = doctor.repair(store, torn[0].card)
        assert saved is not None
        assert os.path.getsize(saved) > 0
        found, verdict = state(opened), "torn"
        assert found == old
    if found == new:
        return "new"
    operation(opened, card)
    assert state(opened) == new
    assert not [entry for entry in doctor.examine(opened, FileStore(opened.store.root)) if entry.level == "fault"]
    return verdict


def test_a_failed_take_leaves_no_lease(tmp_path: Path) -> None:
    opened = board(tmp_path)
    card = brought_to(opened, "draft")
    with pytest.raises(BoardError, match="cannot move from draft"):
        opened.take(ALPHA, card.id, 1)
    assert opened.card(card.id).claim is None
    assert not (tmp_path / ".devflow" / "tasks" / card.id / "claim.json").exists()
    assert os.listdir(tmp_path / ".devflow" / "held") == []
