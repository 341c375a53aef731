"""eval and watch: words that become a text."""

from __future__ import annotations

import pytest

from guard.languages import joined
from tests.languages.calls import call, summary

Options = tuple[tuple[str, str | None], ...]


@pytest.mark.parametrize(
    ("program", "options", "line", "expected"),
    [
        ("eval", (), "", []),
        ("eval", (), "ls -la", ["shell ls -la"]),
        ("eval", (), "ls $ x", ["shell ls $ x"]),
        ("eval", (), "ls *$x", ["shell ls $"]),
        ("watch", (), "ls -la", ["shell ls -la"]),
        ("watch", (("-x", None),), "ls -la", ["argv ls -la"]),
        ("watch", (), "[[ a ]]", ["opaque shell-dialect"]),
    ],
)
def test_effects(program: str, options: Options, line: str, expected: list[str]) -> None:
    assert summary(joined.judge(call(program, line, options))) == expected
