"""What changed in a folder, and in the upper layer of an overlay."""

from __future__ import annotations

import os
from pathlib import Path

from guard.prove import snapshot
from guard.prove.snapshot import Change


def test_every_change_is_found(tmp_path: Path) -> None:
    for name in ("gone", "same", "content", "mode", "time"):
        (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (1000, 1000))
    (tmp_path / "link").symlink_to("same")
    os.utime(tmp_path, (1000, 1000))
    before = snapshot.take(str(tmp_path))
    (tmp_path / "gone").unlink()
    (tmp_path / "content").write_text("y")
    os.utime(tmp_path / "content", (1000, 1000))
    (tmp_path / "mode").chmod(0o600)
    os.utime(tmp_path / "time", (2000, 2000))
    (tmp_path / "new").mkdir()
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("mode")
    assert snapshot.changes(before, snapshot.take(str(tmp_path))) == [
        Change("touched", ".", "folder"),
        Change("changed", "content", "file"),
        Change("removed", "gone", "file"),
        Change("changed", "link", "link"),
        Change("changed", "mode", "file"),
        Change("created", "new", "folder"),
        Change("touched", "time", "file"),
    ]


def test_what_was_copied_up_unchanged_is_no_change(tmp_path: Path) -> None:
    lower, upper = tmp_path / "lower", tmp_path / "upper"
    for folder in (lower, upper):
        folder.mkdir()
        (folder / "a").write_text("x")
        os.utime(folder / "a", (1000, 1000))
        os.utime(folder, (1000, 1000))
    assert snapshot.changes({}, snapshot.take(str(upper)), str(lower)) == []
