"""corpus/lint.jsonl: every labelled fault is found at its place, and its witness passes in our model of the tool."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from guard import judge
from guard.lint.policy import Policy, Rule, catches, passes
from guard.lint.run import lint, read
from guard.lint.source import Source
from guard.lint.witness import PLACE, Searcher
from guard.model.diagnostic import Diagnostic
from guard.model.effect import Kind
from guard.model.grant import Grant
from guard.model.verdict import Decision, Verdict

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SEARCHER = Searcher()

with open(os.path.join(ROOT, "corpus", "lint.jsonl"), encoding="utf-8") as corpus:
    ROWS: list[dict[str, Any]] = [json.loads(line) for line in corpus]

NOT_COMMANDS = ("B119", "B120")
"""Checks of the form of a rule, whose witness is a name or a harmless command."""
ANYTHING = ("B101", "B117")
"""Checks of rules that pass every command, so witnesses of every kind: whose is shown is ours to choose."""
SEVERITIES = {"error": "error", "warn": "warning", "info": "info"}


def _passes(policy: Policy, rule: Rule, command: str) -> bool:
    return any(passes(rule, command, matching) for matching in (policy.matching, *policy.older))


def _judged(command: str) -> Verdict:
    return judge.command(command, PLACE, Grant(), SEARCHER.book)


def _vetoed(command: str) -> bool:
    return _judged(command).decision is Decision.VETO


def _kinds(command: str) -> set[Kind]:
    """What a command line that may name several spellings does beyond reading."""
    found = {effect.kind for part in command.split("; ") for effect in _judged(part).effects}
    return found - {Kind.READ, Kind.CACHE}


def _hit(row: dict[str, Any]) -> tuple[Policy, Diagnostic, Rule | None]:
    source = Source(row["path"], row["file"])
    policy = read(source, row["format"])
    places = {source.place(at) for at in range(len(source.text)) if source.text.startswith(row["at"], at)}
    found = [one for one in lint(source, row["format"], SEARCHER) if one.code == row["code"]]
    hit = next((one for one in found if (one.line, one.column) in places), None)
    assert hit is not None, [(one.code, one.line, one.column) for one in found]
    start = source.offset(hit.line, hit.column)
    return policy, hit, next((rule for rule in policy.rules if rule.start == start), None)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['format']}-{row['fault_id']}-{i}" for i, row in enumerate(ROWS)])
def test_row(row: dict[str, Any]) -> None:
    policy, hit, rule = _hit(row)
    disputed, label = "disputed" in row, row["witness"]
    assert disputed or hit.severity == SEVERITIES[row["severity"]]
    assert hit.witness or label.startswith("(")
    if row["code"][0] == "B" and row["code"] not in NOT_COMMANDS:
        assert rule is not None
        assert _passes(policy, rule, hit.witness)
        assert _vetoed(hit.witness)
        assert disputed or _passes(policy, rule, label)
        assert disputed or _vetoed(label)
        assert disputed or row["code"] in ANYTHING or _kinds(hit.witness) & _kinds(label)
    if row["code"][0] == "D" and row["code"] != "D307":
        assert rule is not None
        for command in [hit.witness] if disputed else [hit.witness, *label.split("; ")]:
            assert not all(catches(rule, command, matching) for matching in (policy.matching, *policy.older)), command
    if row["code"][0] in "NR" and not label.startswith(("(", "mcp__")):
        assert hit.witness.split()[0] == label.split()[0]


def test_table() -> None:
    """Printed with `-s`: where each fault is found, with the label's witness and ours."""
    lines = []
    for row in ROWS:
        _, hit, _ = _hit(row)
        same = "disputed" if "disputed" in row else "same" if _kinds(hit.witness) & _kinds(row["witness"]) else "-"
        place = f"{hit.code} {hit.line}:{hit.column} {hit.severity}"
        lines.append(f"{row['format']:16}{row['fault_id']:27}{place:22}{same:9}{row['witness']!r:40} {hit.witness!r}")
    print("\n".join(["", *lines]))
    assert len(lines) == len(ROWS)


def test_disputed_labels_are_few_and_say_why() -> None:
    assert [row["fault_id"] for row in ROWS if row.get("disputed")] == [
        "deny-inner-star",
        "no-word-boundary",
        "run-project-code",
        "order-shadow",
    ]


def test_every_kind_of_fault_is_covered() -> None:
    assert len(ROWS) == 91
    assert len({row["fault_id"] for row in ROWS}) == 76
