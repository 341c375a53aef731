"""ar: the operations that leave the archive as it is."""

from __future__ import annotations

import pytest

from guard.languages import ar
from tests.languages.calls import call, summary


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        ("t a.a", []),
        ("-t a.a", []),
        ("tvO a.a x", []),
        ("p a.a x", []),
        ("r a.a x", ["write archive"]),
        ("tp a.a", ["write archive"]),
        ("v a.a", ["write archive"]),
        ("rt a.a", ["write archive"]),
        ("$ a.a", ["write archive"]),
        ("t @x", ["opaque dynamic-option"]),
        ("t $", ["opaque dynamic-option"]),
        ("t ./$", []),
        ("t --plugin x a.a", ["opaque dynamic-option"]),
        ("--version", []),
    ],
)
def test_effects(line: str, expected: list[str]) -> None:
    assert summary(ar.judge(call("ar", line))) == expected
