"""Numbers that some shells evaluate."""

from __future__ import annotations

import pytest

from guard.languages import count
from tests.languages.calls import call, summary


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        ("1", []),
        ("-1", []),
        ("x", ["opaque arithmetic"]),
        ("a[x]", ["opaque arithmetic"]),
        ("$", ["opaque arithmetic"]),
    ],
)
def test_effects(line: str, expected: list[str]) -> None:
    assert summary(count.judge(call("exit", line))) == expected
