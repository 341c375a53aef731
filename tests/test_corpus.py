"""The corpus: every command gets at least the verdict that its line says. Never looser."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from guard import judge
from guard.classify import Place
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook

CORPUS = Path(__file__).parent.parent / "corpus"
PLACE = Place("/nonexistent/project", "/home/user")
BOOK = Rulebook()
NEEDLESS = {
    "false-veto-nested-quote-cmdsub": "that `grep -n | cut` gives a number cannot be proved for every locale and file",
}
"""Kinds of harmless commands that are vetoed, with the reason; a kind that passes must leave this list."""


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPUS / name).read_text(encoding="utf-8").splitlines()]


ROWS = [row for name in ("cases.jsonl", "own.jsonl") for row in rows(name)]


def allowed(command: str, place: Place = PLACE) -> bool:
    return judge.command(command, place, Grant(), BOOK).decision is Decision.ALLOW


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["right"] == "veto"], ids=lambda row: repr(row["command"])[:60]
)
def test_no_false_allow(row: dict[str, Any]) -> None:
    assert not allowed(row["command"]), row["why"]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["right"] == "allow"], ids=lambda row: repr(row["command"])[:60]
)
def test_no_needless_veto(row: dict[str, Any]) -> None:
    assert allowed(row["command"]) is (row["kind"] not in NEEDLESS), row["why"]


def test_a_real_repository_makes_no_difference(tmp_path: Path) -> None:
    """Some commands are judged by what is found where they run: an ordinary repository holds nothing against them."""
    (tmp_path / "a.txt").write_text("a\n")
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    here = Place(str(tmp_path), "/home/user")
    different = [row["command"] for row in ROWS if allowed(row["command"], here) is not allowed(row["command"])]
    assert different == []
