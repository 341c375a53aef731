"""Git indexes: a refresh is told from a change."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from guard.prove import index


def git(folder: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words],
        cwd=folder,
        check=True,
        capture_output=True,
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    for name in ("a.txt", "b.txt", "longer-name.txt", "d/e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    git(tmp_path, "add", ".")
    return tmp_path


def read(repository: Path) -> bytes:
    return (repository / ".git" / "index").read_bytes()


@pytest.mark.parametrize("version", ["2", "4"])
def test_a_refresh_keeps_the_entries(repository: Path, version: str) -> None:
    git(repository, "update-index", "--index-version", version)
    before = read(repository)
    os.utime(repository / "a.txt", (1000, 1000))
    git(repository, "update-index", "--refresh")
    assert read(repository) != before
    assert index.only_refreshed(before, read(repository))
    paths = [entry.path for entry in index.entries(before) or ()]
    assert paths == [b"a.txt", b"b.txt", b"d/e.txt", b"longer-name.txt"]


CHANGES = [
    ("update-index", "--chmod=+x", "a.txt"),
    ("update-index", "--assume-unchanged", "a.txt"),
    ("update-index", "--skip-worktree", "a.txt"),
    ("rm", "-q", "--cached", "a.txt"),
    ("mv", "a.txt", "z.txt"),
]


@pytest.mark.parametrize("words", CHANGES)
def test_a_change_is_no_refresh(repository: Path, words: tuple[str, ...]) -> None:
    before = read(repository)
    git(repository, *words)
    assert not index.only_refreshed(before, read(repository))


def test_new_content_is_no_refresh(repository: Path) -> None:
    before = read(repository)
    (repository / "a.txt").write_text("other")
    git(repository, "add", "a.txt")
    assert not index.only_refreshed(before, read(repository))


@pytest.mark.parametrize("data", [b"", b"DIRC", b"DIRC" + bytes(40), b"DIRC\0\0\0\2\0\0\0\x09" + bytes(40)])
def test_what_is_no_index(data: bytes) -> None:
    assert not index.only_refreshed(data[:3], data[:3])
    assert index.entries(data) in (None, [])
