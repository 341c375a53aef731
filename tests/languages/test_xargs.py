"""xargs: where the words of the input come to stand."""

from __future__ import annotations

import pytest

from guard.languages import xargs
from tests.languages.calls import call, summary

Options = tuple[tuple[str, str | None], ...]


@pytest.mark.parametrize(
    ("options", "line", "expected"),
    [
        ((), "", []),
        ((("-I", "{}"),), "", []),
        ((), "grep -l x", ["argv grep -l x *$"]),
        ((("-I", "{}"),), "cat x{}y {} z", ["argv cat x$y $ z"]),
        ((("-I", "F"),), "cat F {}", ["argv cat $ {}"]),
        ((("-i", None),), "cat {}", ["argv cat $"]),
        ((("-i", "F"),), "cat F", ["argv cat $"]),
        ((("-I", "{}"),), "{}", ["argv $"]),
        ((("-I", "{}"),), "cat ./$ *$", ["argv cat $ *$"]),
        ((("-I", "$"),), "cat x", ["opaque xargs-placeholder"]),
        ((("-I", "''"),), "cat x", ["opaque xargs-placeholder"]),
        ((("-n", "1"), ("-I", "{}")), "cat {}", ["argv cat $"]),
        ((("-I", "{}"), ("-n", "1")), "cat {}", ["argv cat $"]),
        ((("-n", "2"), ("-I", "{}")), "cat {}", ["argv cat $"]),
        ((("-I", "{}"), ("-n", "2")), "cat {}", ["argv cat $", "argv cat {} *$"]),
        ((("-I", "{}"), ("-L", "1")), "cat {}", ["argv cat $", "argv cat {} *$"]),
        ((("-J", "%"),), "cat % a %", ["argv cat *$ a %"]),
        ((("-J", "%"),), "cat x%", ["argv cat x% *$"]),
        ((("-J", "%"), ("-I", "%")), "cat %", ["opaque xargs-placeholder"]),
        ((("--process-slot-var", "PATH"),), "ls", ["argv PATH=$ ls *$"]),
        ((("--process-slot-var", "$"),), "ls", ["opaque dynamic-variable"]),
    ],
)
def test_commands(options: Options, line: str, expected: list[str]) -> None:
    assert summary(xargs.judge(call("xargs", line, options))) == expected
