"""sqlite3: which statements are proved to read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard.languages import sqlite
from tests.languages.scripts import call, shown


@pytest.mark.parametrize(
    "statement",
    [
        "select count(*) from t",
        "SELECT a, max(b) FROM t WHERE c > 'x;drop table t' GROUP BY a;",
        "select 1; select 2;",
        'select commit, "delete", [update] from t where a in (1, 2) -- writefile(',
        "with x as (select 1) select * from x",
        "explain query plan select * from t",
        "values (1), (2)",
        "pragma table_info(t)",
        "pragma user_version;",
        "select /* edit( */ 'it''s'",
        ".tables",
        ".schema t",
    ],
)
def test_reading(statement: str) -> None:
    assert _judged("-readonly", "app.db", statement) == ["read app.db"]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("select writefile('a', 'b')", "write sqlite-statement"),
        ("select \"writefile\" /* */ ('a', 'b')", "write sqlite-statement"),
        ("select edit('x')", "write sqlite-statement"),
        ("select * from fsdir where path = '/'", "write sqlite-statement"),
        ("select 1; attach 'x' as y", "write sqlite-statement"),
        ("vacuum into 'x'", "write sqlite-statement"),
        ("with x as (select 1) insert into t select * from x", "write sqlite-statement"),
        ("pragma journal_mode = wal", "write sqlite-statement"),
        ("pragma wal_checkpoint", "write sqlite-statement"),
        ("insert into t values (1)", "write sqlite-statement"),
        (".output x", "opaque sqlite-dot"),
        (".shell touch p", "opaque sqlite-dot"),
        (".schema | x", "opaque sqlite-dot"),
        ("select 'x", "opaque sqlite-syntax"),
        ("select 1\n.shell x", "opaque sqlite-syntax"),
    ],
)
def test_acting(statement: str, expected: str) -> None:
    assert _judged("-readonly", "app.db", statement)[1] == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (("app.db", "select 1"), ["read app.db", "write sqlite-write"]),
        (("-readonly", "app.db"), ["read app.db", "opaque sqlite-stdin"]),
        (
            ("-readonly", "-cmd=.output x", "app.db", "select 1"),
            ["read app.db", "opaque sqlite-dot"],
        ),
        (("-readonly",), ["opaque sqlite-stdin"]),
        (("-version",), []),
    ],
)
def test_command_line(line: tuple[str, ...], expected: list[str]) -> None:
    assert _judged(*line) == expected


@given(st.text(max_size=40))
def test_any_text(text: str) -> None:
    sqlite.judge(call("sqlite3", "-readonly", "app.db", "select " + text))


def _judged(*line: str) -> list[str]:
    return [text.split(":")[0] for text in shown(sqlite.judge(call("sqlite3", *line)), " ".join(line))]
