"""command, builtin, exec."""

from __future__ import annotations

import pytest

from guard.languages import wrapper
from tests.languages.calls import call, summary

Options = tuple[tuple[str, str | None], ...]


@pytest.mark.parametrize(
    ("program", "options", "line", "expected"),
    [
        ("command", (("-v", None),), "$", []),
        ("command", (), "ls $", ["argv ls $ builtin"]),
        ("command", (("-p", None),), "ls", ["argv ls builtin"]),
        ("exec", (), "", []),
        ("builtin", (), "cd x", ["argv cd x builtin"]),
    ],
)
def test_effects(program: str, options: Options, line: str, expected: list[str]) -> None:
    assert summary(wrapper.judge(call(program, line, options))) == expected
