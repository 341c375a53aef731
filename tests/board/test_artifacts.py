from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from guard.board.cards import Board
from tests.board.boards import ALPHA, DESIGN, board, brought_to, changed_artifact, refused


@pytest.fixture
def opened(tmp_path: Path) -> Board:
    return board(tmp_path)


def test_attach(opened: Board) -> None:
    card = brought_to(opened, "designing")
    bad = opened.attach(ALPHA, card.id, 2, kind="design", content="# nothing")
    assert bad.artifacts[-1].path == "artifacts/3-design.md"
    code, message = refused(lambda: opened.transition(ALPHA, card.id, "ready", 3))
    assert code == "gate-unsatisfied"
    assert "artifacts/3-design.md: front matter is missing: the first line must be ---; section 'Context' is" in message
    good = opened.attach(ALPHA, card.id, 3, kind="design", content=DESIGN)
    assert [found.path for found in good.artifacts] == ["artifacts/3-design.md", "artifacts/4-design.md"]
    assert opened.artifact(card.id, "design") == (good.artifacts[1], DESIGN)
    ready = opened.transition(ALPHA, card.id, "ready", 4)
    assert ready.history[-1].data["checks"] == [{"kind": "design", "path": "artifacts/4-design.md", "revision": 4}]


def test_attach_a_file(opened: Board, tmp_path: Path) -> None:
    card = brought_to(opened, "designing")
    folder = Path(opened.store.folder(card.id))
    (folder / "artifacts" / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "secret").write_text("x")
    (folder / "out").symlink_to(tmp_path / "secret")
    os.mkfifo(folder / "pipe")
    found = opened.attach(ALPHA, card.id, 2, path="artifacts/picture.png")
    assert found.artifacts[-1][:2] == ("artifacts/picture.png", None)
    for path, problem in {
        "out": "it is not under the card's folder",
        "../../../secret": "it is not under the card's folder",
        "/etc/passwd": "it is not under the card's folder",
        "pipe": "it is not a regular file",
        "artifacts": "it is not a regular file",
        "none": "no such file or directory",
    }.items():
        code, message = refused(partial(opened.attach, ALPHA, card.id, 3, path=path))
        assert (code, message.partition(" Pass")[0]) == ("artifact-form", f"'{path}' cannot be attached: {problem}.")
    (folder / "artifacts" / "9-design.md").touch()
    for path in ("card.md", "journal.jsonl", "artifacts/9-design.md"):
        message = refused(partial(opened.attach, ALPHA, card.id, 3, path=path))[1]
        assert message.startswith(f"'{path}' is a file, or a name, of the board's own.")
    assert refused(lambda: opened.attach(ALPHA, card.id, 3, kind="design"))[1].startswith(
        "Neither a path nor both kind"
    )


def test_an_artifact_that_changed_or_is_gone_is_a_defect(opened: Board) -> None:
    card = changed_artifact(opened)
    (gate,) = opened.preflight(opened.card(card))
    assert gate.judged[0].defects == ("unreadable: it was changed after it was registered at revision 3",)
    os.unlink(os.path.join(opened.store.folder(card), "artifacts", "3-design.md"))
    (gate,) = opened.preflight(opened.card(card))
    assert gate.judged[0].defects == ("unreadable: no such file or directory",)
    assert refused(lambda: opened.transition(ALPHA, card, "ready", 3))[0] == "gate-unsatisfied"
