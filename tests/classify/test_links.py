"""`..` behind a symbolic link: the kernel's parent is not the one that the path's text names."""

from __future__ import annotations

from pathlib import Path

import pytest

from guard.classify import Place
from guard.judge import command
from guard.model.grant import Grant
from guard.rulebook import Rulebook


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A work tree with an embedded bare repository, and a link to a folder in it."""
    for folder in ("work/.git/objects", "work/.git/refs", "work/bare/objects", "work/bare/refs", "work/bare/sub"):
        (tmp_path / folder).mkdir(parents=True)
    for folder in ("work/.git", "work/bare"):
        (tmp_path / folder / "HEAD").write_text("ref: refs/heads/main\n")
        (tmp_path / folder / "config").write_text("")
    (tmp_path / "work/link").symlink_to("bare/sub")
    return tmp_path / "work"


@pytest.mark.parametrize(
    ("line", "allowed"),
    [
        ("git status", True),
        ("git -C link/../.. status", True),
        ("git -C link/.. status", False),
        ("cd -P link/.. && git status", False),
        ("env -C link/.. git status", False),
        ("cd link && git -C .. status", False),
    ],
)
def test_parent_of_a_link(work: Path, line: str, allowed: bool) -> None:
    verdict = command(line, Place(str(work), None), Grant(), Rulebook())
    assert (verdict.decision.name == "ALLOW") is allowed
