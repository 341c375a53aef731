"""trap: the text that is kept."""

from __future__ import annotations

import pytest

from guard.languages import trap
from tests.languages.calls import call, summary

Options = tuple[tuple[str, str | None], ...]


@pytest.mark.parametrize(
    ("program", "options", "line", "expected"),
    [
        ("trap", (), "", []),
        ("trap", (("-p", None),), "x", []),
        ("trap", (), "- INT", []),
        ("trap", (), "'' INT", []),
        ("trap", (), "INT", []),
        ("trap", (), "rm·a EXIT", ["shell rm a"]),
        ("trap", (), "$ EXIT", ["shell $"]),
        ("trap", (), "$", ["shell $"]),
        ("trap", (), "*$ EXIT", ["opaque dynamic-trap"]),
    ],
)
def test_effects(program: str, options: Options, line: str, expected: list[str]) -> None:
    assert summary(trap.judge(call(program, line, options))) == expected
