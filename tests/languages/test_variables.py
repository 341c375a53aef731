"""Builtins that set variables: names and values."""

from __future__ import annotations

import pytest

from guard.languages import variables
from tests.languages.calls import call, summary

Options = tuple[tuple[str, str | None], ...]


@pytest.mark.parametrize(
    ("program", "options", "line", "expected"),
    [
        ("declare", (), "x", ["assign x=-"]),
        ("declare", (), "x=1 y=$", ["assign x=1", "assign y=$"]),
        ("declare", (("-x", None),), "x=1", ["assign x=1 exported"]),
        ("export", (), "x", ["assign x=- exported"]),
        ("export", (("-p", None),), "x=1", ["assign x=1 exported"]),
        ("readonly", (("-p", None),), "x=1", ["assign x=1"]),
        ("declare", (("-p", None),), "x", []),
        ("declare", (("-f", None),), "f", []),
        ("declare", (("-F", None),), "x=1", ["opaque evaluated-variable", "assign x=1"]),
        ("declare", (("-p", None),), "$", ["opaque variable-name"]),
        ("local", (), "x+=1", ["assign x=-"]),
        ("declare", (), "a[0]=1", ["opaque variable-name"]),
        ("declare", (), "$", ["opaque variable-name"]),
        ("declare", (), "x$=1", ["opaque variable-name"]),
        ("declare", (), "*x=$", ["opaque variable-name"]),
        ("declare", (), "+x y", ["opaque variable-name", "assign y=-"]),
        ("declare", (("-i", None),), "x=1", ["opaque evaluated-variable", "assign x=1"]),
        ("local", (("-n", None),), "x=y", ["opaque evaluated-variable", "assign x=y"]),
        ("declare", (("-a", None),), "x=(a)", ["opaque array-value", "assign x=-"]),
        ("declare", (("-a", None),), "x=$", ["opaque array-value", "assign x=-"]),
        ("declare", (("-A", None),), "x", ["assign x=-"]),
        ("unset", (), "x y", []),
        ("unset", (("-f", None),), "a[0]", []),
        ("unset", (), "a[0]", ["opaque variable-name"]),
        ("unset", (), "$", ["opaque variable-name"]),
        ("unset", (), "PATH", ["exec environment"]),
        ("read", (), "", ["assign REPLY=-"]),
        ("read", (), "x y", ["assign x=-", "assign y=-"]),
        ("read", (("-a", "x"),), "", ["assign REPLY=-", "assign x=-"]),
        ("read", (("-a", "a[0]"),), "y", ["assign y=-", "opaque variable-name"]),
        ("read", (("-t", "1"),), "x", ["assign x=-"]),
        ("read", (("-t", "$"),), "x", ["opaque arithmetic", "assign x=-"]),
        ("read", (), "a[0]", ["opaque variable-name"]),
        ("read", (), "*$", ["opaque variable-name"]),
        ("mapfile", (), "", ["assign MAPFILE=-"]),
        ("mapfile", (), "x", ["assign x=-"]),
        ("getopts", (), "ab: o", ["assign OPTARG=-", "assign o=-"]),
        ("getopts", (), "ab: a[0] x", ["assign OPTARG=-", "opaque variable-name"]),
    ],
)
def test_effects(program: str, options: Options, line: str, expected: list[str]) -> None:
    assert summary(variables.judge(call(program, line, options))) == expected
