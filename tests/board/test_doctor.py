from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from guard.board import doctor
from guard.board.cards import Board
from guard.board.files import FileStore
from guard.board.rejections import BoardError
from tests.board.boards import ALPHA, DESIGN, Hands, board, brought_to


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def opened(tmp_path: Path, clock: Hands) -> Board:
    return board(tmp_path, clock)


def examined(opened: Board, *cards: str) -> list[tuple[str, str, str, bool]]:
    return [tuple(found) for found in doctor.examine(opened, FileStore(opened.store.root), list(cards))]  # type: ignore[misc]


def test_a_sound_board(opened: Board) -> None:
    assert examined(opened) == []
    card = brought_to(opened, "ready")
    opened.take(ALPHA, card.id, card.revision)
    brought_to(opened, "done")
    assert examined(opened) == []


def test_a_torn_end_is_saved_and_cut_off(opened: Board) -> None:
    card = brought_to(opened, "ready")
    journal = Path(opened.store.folder(card.id)) / "journal.jsonl"
    whole = journal.read_bytes()
    tail = b'{"rev":5,"at":"2026-01-31T12:00:00Z","by":{"kind":"human"},"type":"released","more":true}\n{"rev"'
    journal.write_bytes(whole + tail)
    message = (
        "journal.jsonl:6: an append was cut off here: an append did not finish and took no effect;"
        " `devkit-engine board doctor 0001-cache-the-index --repair` saves the torn end beside the journal and cuts it"
        " off"
    )
    assert examined(opened) == [(card.id, "fault", message, True)]
    with pytest.raises(BoardError, match=r"journal\.jsonl:6: an append was cut off here\. Run .* --repair"):
        opened.transition(ALPHA, card.id, "developing", 4)
    assert journal.read_bytes() == whole + tail, "nothing is repaired silently"
    saved = doctor.repair(FileStore(opened.store.root), card.id)
    assert saved is not None
    assert (Path(saved).read_bytes(), journal.read_bytes()) == (tail, whole)
    assert examined(opened) == []
    assert doctor.repair(FileStore(opened.store.root), card.id) is None


def test_an_invalid_line_is_explained_and_left_alone(opened: Board) -> None:
    card = brought_to(opened, "ready")
    journal = Path(opened.store.folder(card.id)) / "journal.jsonl"
    raw = journal.read_bytes().replace(b'"rev":3', b'"rev":4', 1)
    journal.write_bytes(raw)
    message = (
        ".devflow/tasks/0001-cache-the-index/journal.jsonl:3: rev: expected 3 (got 4); nothing is repaired by itself:"
        " bring the file back from version control or a backup, or move the card's folder out of tasks/"
    )
    assert examined(opened) == [(card.id, "fault", message, False)]
    assert doctor.repair(FileStore(opened.store.root), card.id) is None
    assert journal.read_bytes() == raw


def spoil(name: str) -> Callable[[Board, Hands], str]:
    return {
        "projection": lambda b, _: unlink(b, brought_to(b, "draft").id, "card.md"),
        "lease of nobody": lambda b, _: write(b, brought_to(b, "ready").id, "../../held/0001-cache-the-index", b""),
        "marker": lambda b, _: unlink(b, taken(b), "../../held/0001-cache-the-index"),
        "stale": lambda b, clock: (taken(b), clock.pass_by(7200))[0],
        "artifact": lambda b, _: unlink(b, brought_to(b, "ready").id, "artifacts/3-design.md"),
        "orphan": lambda b, _: write(b, brought_to(b, "designing").id, "artifacts/3-design.md", DESIGN.encode()),
        "stage": lambda b, _: renamed(b, brought_to(b, "draft").id),
        "archive": half_archived,
        "tmp": lambda b, _: write(b, brought_to(b, "draft").id, "../../tmp/x", b""),
        "merged": lambda b, _: (brought_to(b, "draft").id, shutil.copytree(*folders(b, "0001-other")))[0],
        "gone": lambda b, _: write(b, brought_to(b, "draft").id, "../../held/0009-gone", b""),
    }[name]


def folders(opened: Board, other: str) -> tuple[str, str]:
    folder = opened.store.folder("0001-cache-the-index")
    return folder, os.path.join(os.path.dirname(folder), other)


def unlink(opened: Board, card: str, path: str) -> str:
    os.unlink(os.path.join(opened.store.folder(card), path))
    return card


def write(opened: Board, card: str, path: str, raw: bytes) -> str:
    Path(opened.store.folder(card), path).write_bytes(raw)
    return card


def taken(opened: Board) -> str:
    card = brought_to(opened, "ready")
    return opened.take(ALPHA, card.id, card.revision)[0].id


def renamed(opened: Board, card: str) -> str:
    stages = tuple(stage for stage in opened.pipeline.stages if stage.id != "draft")
    opened.pipeline = opened.pipeline._replace(stages=stages)
    return card


def half_archived(opened: Board, _: Hands) -> str:
    card = brought_to(opened, "done")
    opened.archive(ALPHA, card.id, card.revision)
    os.rename(opened.store.folder(card.id), os.path.join(opened.store.root, ".devflow", "tasks", card.id))
    return card.id


FINDINGS = {
    "projection": ("note", "card.md does not show the newest revision; the next change writes it anew"),
    "lease of nobody": (
        "note",
        "the files of a lease are there, but the journal knows of none: it counts for nothing, and the next take"
        " replaces it",
    ),
    "marker": (
        "fault",
        "held by alpha (session-), but held/0001-cache-the-index is missing, so the guard does not see it: release the"
        " card or take it over",
    ),
    "stale": ("note", "held by alpha (session-), not heard of for 2 h: it can be taken over"),
    "artifact": ("fault", "artifacts/3-design.md (revision 3): no such file or directory"),
    "orphan": ("note", "artifacts/3-design.md is not registered: an attach was cut off, or a person left it"),
    "stage": (
        "fault",
        "its stage draft is not in the pipeline (designing, ready, developing, reviewing, testing, done, blocked):"
        " nothing can move it",
    ),
    "archive": (
        "note",
        "archived, but still in tasks/: `devkit-engine board archive 0001-cache-the-index` moves its folder",
    ),
    "tmp": (
        "note",
        "tmp/: 1 unfinished files of operations that were cut off; when nothing runs, delete them",
    ),
    "merged": (
        "note",
        "number 1 stands for 0001-cache-the-index, 0001-other: name these cards by their full ids",
    ),
    "gone": ("note", "held/0009-gone: marks a lease on a card that is not on the board; it can be deleted"),
}


@pytest.mark.parametrize("name", FINDINGS)
def test_findings(opened: Board, clock: Hands, name: str) -> None:
    spoil(name)(opened, clock)
    # A copied card.md shows another id, which is a note of its own.
    assert [found[1:3] for found in examined(opened) if found[0] != "0001-other"] == [FINDINGS[name]]
