"""SQLite files that do more than be read: real files, made by the real library."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from guard import judge
from guard.classify import Place, database
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook

BOOK = Rulebook()


def made(path: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        (["create table t (a)"], None),
        (["create table t (a)", "create index i on t (a)"], None),
        (["create table t (a)", "create view v as select a from t"], "views"),
        (["create table t (a, b generated always as (a + 1))"], "generated"),
        (["create table t (a, b as (a + 1))"], "generated"),
        (["create virtual table t using fts5(a)"], "virtual"),
        (["pragma journal_mode = wal", "create table t (a)"], "WAL"),
    ],
)
def test_schemas(tmp_path: Path, statements: list[str], reason: str | None) -> None:
    found = database.check(str(made(tmp_path / "a b%.db", *statements)))
    assert (found is None) if reason is None else (found is not None and reason in found)


def test_files_that_are_no_database(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("x" * 200)
    cut = tmp_path / "cut"
    cut.write_bytes(b"SQLite format 3\0" + b"\1" * 84)
    (tmp_path / "empty").write_bytes(b"")
    assert database.check(str(text)) == "the file is not a SQLite database"
    assert "cannot be looked into" in (database.check(str(cut)) or "")
    assert database.check(str(tmp_path)) == "the database is not a plain file"
    assert [database.check(str(tmp_path / name)) for name in ("empty", "nothing")] == [None, None]


@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        ("sqlite3 -readonly plain.db 'select a from t'", True),
        ("sqlite3 -readonly view.db 'select a from v'", False),
        ("cd sub; sqlite3 -readonly ../view.db 'select a from v'", False),
        ("for d in plain.db view.db; do sqlite3 -readonly $d 'select 1'; done", False),
        ("sqlite3 -readonly \"$x\" 'select 1'", False),
        ("sqlite3 plain.db 'select 1'", False),
    ],
)
def test_commands(tmp_path: Path, command: str, allowed: bool) -> None:
    made(tmp_path / "plain.db", "create table t (a)")
    made(tmp_path / "view.db", "create table t (a)", "create view v as select a from t")
    (tmp_path / "sub").mkdir()
    verdict = judge.command(command, Place(str(tmp_path), None), Grant(), BOOK)
    assert (verdict.decision is Decision.ALLOW) is allowed
