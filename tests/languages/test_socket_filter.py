"""Filters of ss: which words are looked up as hosts."""

from __future__ import annotations

import pytest

from guard.languages import socket_filter
from tests.languages.calls import call, summary

LOOKUP = ["net_read filter-host"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("state established", []),
        ("dst 192.0.2.1:443", []),
        ("src [::1]:22", []),
        ("dst fe80::1", []),
        ("sport = :http", []),
        ("dst *:80", []),
        ("dst host.example", LOOKUP),
        ("host.example:80", LOOKUP),
        ("dst cafe", LOOKUP),
        ("state $", LOOKUP),
    ],
)
def test_effects(line: str, expected: list[str]) -> None:
    found = summary(socket_filter.judge(call("ss", line)))
    assert [effect[: len(expected[0])] if expected else effect for effect in found] == expected
