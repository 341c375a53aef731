"""wget: what it leaves behind."""

from __future__ import annotations

import pytest

from guard.languages import wget
from tests.languages.calls import call, summary

URL = "https://host.example/a"
HOME = ["build home-state"]


@pytest.mark.parametrize(
    ("line", "options", "expected"),
    [
        ("", (("-V", None),), []),
        (URL, (("-O", "-"), ("--no-hsts", None)), []),
        (URL, (("--spider", None), ("--no-hsts", None)), []),
        (URL, (("-O", "-"),), HOME),
        (URL, (("-O", "a"),), ["write a", *HOME]),
        (URL, (("-O", "$"), ("--no-hsts", None)), ["write $"]),
        (URL, (("--no-hsts", None),), ["write write-without-option"]),
        ("$", (("-O", "-"), ("--no-hsts", None)), ["net_write net-write-argument"]),
    ],
)
def test_effects(line: str, options: tuple[tuple[str, str | None], ...], expected: list[str]) -> None:
    assert summary(wget.judge(call("wget", line, options))) == expected
