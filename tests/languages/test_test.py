"""test and `[`: where bash could evaluate a subscript."""

from __future__ import annotations

import pytest

from guard.languages import test
from tests.languages.calls import call, summary


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        ("-f a", []),
        ("-t 1", []),
        ("-t x", ["opaque test-subscript"]),
        ("-t $", ["opaque test-subscript"]),
        ("$ = y", []),
        ("-n $ -a ! -d $", []),
        ("-v HOME", []),
        ("-v 1", []),
        ("-v", []),
        ("-v a[x]", ["opaque test-subscript"]),
        ("-v $", ["opaque test-subscript"]),
        ("-R $", ["opaque test-subscript"]),
        ("! -v $", ["opaque test-subscript"]),
        ("x = y -o -v $", ["opaque test-subscript"]),
        ("( -v $ )", ["opaque test-subscript"]),
        ("$ $", ["opaque test-subscript"]),
        ("$", []),
        ("! $", []),
        ("$ -eq $", []),
        ("$ = a[x]", []),
        ("$ = a[x] -o -n y", []),
        ("*$ = y", ["opaque dynamic-test"]),
        ("-f *./$", []),
        ("-f *$.py", []),
        ("$ -a $", []),
        ("-n$ $", []),
        ("-$ $", ["opaque test-subscript"]),
    ],
)
def test_effects(line: str, expected: list[str]) -> None:
    assert summary(test.judge(call("test", line))) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("-f a ]", []),
        ("]", []),
        ("-v a[x] ]", ["opaque test-subscript"]),
        ("-v ]", []),
        ("-f a", ["opaque test-bracket"]),
        ("", ["opaque test-bracket"]),
        ("a $", ["opaque test-bracket"]),
    ],
)
def test_bracket(line: str, expected: list[str]) -> None:
    assert summary(test.judge(call("[", line))) == expected
