"""kill: which forms signal nothing."""

from __future__ import annotations

import pytest

from guard.languages import kill
from tests.languages.calls import call, summary


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("-l", []),
        ("-l -9 1", []),
        ("-L", []),
        ("-0 1 2", []),
        ("-0 $", []),
        ("-0 $ 1", ["process signal"]),
        ("-0 *$", ["process signal"]),
        ("-0 -9", []),
        ("-0 -n9 1", ["process signal"]),
        ("1", ["process signal"]),
        ("-9 1", ["process signal"]),
        ("$", ["process signal"]),
        ("", ["process signal"]),
    ],
)
def test_effects(line: str, expected: list[str]) -> None:
    assert summary(kill.judge(call("kill", line))) == expected
