"""set and shopt: options that leave the reading of the text as it is."""

from __future__ import annotations

import pytest

from guard.languages import shell_options
from tests.languages.calls import call, summary

Options = tuple[tuple[str, str | None], ...]


@pytest.mark.parametrize(
    ("program", "options", "line", "expected"),
    [
        ("set", (), "", []),
        ("set", (), "-euo pipefail", []),
        ("set", (), "+e -x", []),
        ("set", (), "-- -a $", []),
        ("set", (), "a -a $", []),
        ("set", (), "- -a", []),
        ("set", (), "-o", []),
        ("set", (), "-a", ["opaque shell-option"]),
        ("set", (), "-ek", ["opaque shell-option"]),
        ("set", (), "-o posix", ["opaque shell-option"]),
        ("set", (), "-oo pipefail history", ["opaque shell-option"]),
        ("set", (), "+B", ["opaque shell-option"]),
        ("set", (), "$", ["opaque shell-option"]),
        ("set", (), "-$", ["opaque shell-option"]),
        ("set", (), "x$", []),
        ("set", (), "-o $", ["opaque shell-option"]),
        ("shopt", (), "extglob", []),
        ("shopt", (("-s", None),), "globstar nullglob", []),
        ("shopt", (("-s", None),), "extglob", ["opaque shell-option"]),
        ("shopt", (("-u", None),), "$", ["opaque shell-option"]),
        ("shopt", (("-s", None), ("-o", None)), "pipefail", []),
        ("shopt", (("-s", None), ("-o", None)), "history", ["opaque shell-option"]),
    ],
)
def test_effects(program: str, options: Options, line: str, expected: list[str]) -> None:
    assert summary(shell_options.judge(call(program, line, options))) == expected
