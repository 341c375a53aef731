"""env: assignments, directory and command."""

from __future__ import annotations

import pytest

from guard.languages import env
from tests.languages.calls import call, summary

Options = tuple[tuple[str, str | None], ...]


@pytest.mark.parametrize(
    ("program", "options", "line", "expected"),
    [
        ("env", (), "", []),
        ("env", (), "A=1", []),
        ("env", (), "A=1 B= ls -la", ["argv A=1 B= ls -la"]),
        ("env", (), "A=$ ls", ["argv A=$ ls"]),
        ("env", (), "*A=$ ls", ["opaque dynamic-command"]),
        ("env", (), "$ ls", ["argv $ ls"]),
        ("env", (), "A$=1 ls", ["argv A$=1 ls"]),
        ("env", (("-C", "src"),), "ls", ["argv ls in src"]),
        ("env", (("-u", "X"),), "ls", ["argv ls"]),
        ("env", (("-u", "PATH"),), "ls", ["exec environment", "argv ls"]),
        ("env", (("-u", "$"),), "ls", ["exec environment", "argv ls"]),
        ("env", (("-i", None),), "ls", ["exec environment", "argv ls"]),
        ("env", (("-i", None),), "PATH=/bin ls", ["argv PATH=/bin ls"]),
        ("env", (), "- ls", ["exec environment", "argv ls"]),
        ("env", (("-i", None),), "", []),
    ],
)
def test_effects(program: str, options: Options, line: str, expected: list[str]) -> None:
    assert summary(env.judge(call(program, line, options))) == expected
