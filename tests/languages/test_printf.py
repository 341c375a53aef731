"""printf: what sets variables, and what could be evaluated."""

from __future__ import annotations

import pytest

from guard.languages import printf
from tests.languages.calls import call, summary


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        ("%s·%d\\n a 5", []),
        ("-v x %s y", ["assign x=$"]),
        ("-v a[0] y", ["opaque variable-name"]),
        ("-v $ y", ["opaque variable-name"]),
        ("-vx y", ["opaque variable-name"]),
        ("-- %s a", []),
        ("--·x", []),
        ("$", []),
        ("*$", ["opaque dynamic-option"]),
        ("$ x", ["opaque dynamic-option"]),
        ("$\\n", []),
        ("-$ x", ["opaque dynamic-option"]),
        ("a$ x", ["opaque dynamic-format"]),
        ("a$ 5·x", []),
        ("a$ $", ["opaque dynamic-format"]),
        ("%n x", ["opaque printf-n"]),
        ("%s%-5n a x", ["opaque printf-n"]),
        ("%%n x", []),
        ("%(%n)T 5", []),
        ("%d $", ["opaque arithmetic"]),
        ("%s·%d $ 5 $ 6", []),
        ("%s·%d a 5 b $", ["opaque arithmetic"]),
        ("%*s $ x", ["opaque arithmetic"]),
        ("%.*s 5 $", []),
        ("%s *$", []),
        ("%s%d *$", ["opaque arithmetic"]),
        ("%b %d", []),
        ("%d 0x1f", []),
        ("%d x", ["opaque arithmetic"]),
    ],
)
def test_effects(line: str, expected: list[str]) -> None:
    assert summary(printf.judge(call("printf", line))) == expected
