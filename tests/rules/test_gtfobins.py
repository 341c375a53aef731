"""The functions of the GTFOBins catalogue (https://gtfobins.github.io), in lines of our own, for programs with a rule.

Only reading a file that holds no secret is allowed. A line with `typed` gets its function from keys that a person types
into a pager at a terminal; the command alone prints, and the calls of agents have no terminal, so it may pass.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from guard import judge
from guard.classify import Place
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook

CORPUS = Path(__file__).parents[2] / "corpus" / "gtfobins.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
BOOK = Rulebook()
PLACE = Place("/nonexistent/project", "/home/user")
FUNCTIONS = {
    "shell", "command", "reverse-shell", "bind-shell", "file-upload", "file-download", "file-write", "file-read",
    "library-load", "suid", "sudo", "capabilities", "limited-suid",
}  # fmt: skip
BY_PROGRAM = sorted({row["program"] for row in ROWS})


def allowed(command: str) -> bool:
    return judge.command(command, PLACE, Grant(), BOOK).decision is Decision.ALLOW


def may_pass(row: dict[str, Any]) -> bool:
    return bool(row["function"] == "file-read" and "shadow" not in row["command"]) or "typed" in row


@pytest.mark.parametrize("program", BY_PROGRAM)
def test_nothing_but_plain_reading_is_allowed(program: str) -> None:
    rows = [row for row in ROWS if row["program"] == program and not may_pass(row)]
    assert [(row["function"], row["command"]) for row in rows if allowed(row["command"])] == []


def test_every_program_has_a_rule() -> None:
    assert [program for program in BY_PROGRAM if BOOK.rule(program) is None] == []


def test_typed_lines_are_few_and_have_nothing_in_them() -> None:
    assert sorted(row["command"] for row in ROWS if "typed" in row) == [
        "dmesg -H", "journalctl", "less /etc/profile", "more /etc/profile", "systemctl",
    ]  # fmt: skip


def test_count_of_each_function() -> None:
    count = Counter(row["function"] for row in ROWS)
    assert set(count) == FUNCTIONS
    assert dict(count) == COUNTS


COUNTS = {
    "bind-shell": 17,
    "capabilities": 13,
    "command": 22,
    "file-download": 37,
    "file-read": 211,
    "file-upload": 41,
    "file-write": 116,
    "library-load": 19,
    "limited-suid": 36,
    "reverse-shell": 29,
    "shell": 252,
    "sudo": 245,
    "suid": 244,
}
