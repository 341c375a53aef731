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
from guard.model.grant import Grant
from guard.model.verdict import Decision

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SEARCHER = Searcher()

with open(os.path.join(ROOT, "corpus", "lint.jsonl"), encoding="utf-8") as corpus:
    ROWS: list[dict[str, Any]] = [json.loads(line) for line in corpus]

NOT_COMMANDS = ("B119", "B120")
"""Checks of the form of a rule, whose witness is a name or a harmless command."""
ONLY_READS = {"lsof -i"}
"""Another program than the one meant, but one that our classifier allows: ours is one that it vetoes."""
OTHER_RULE = {"make anything"}
"""The row's witness belongs to another rule of its file."""


def _rule(policy: Policy, start: int) -> Rule:
    return next(rule for rule in policy.rules if rule.start == start)


def _passes(policy: Policy, rule: Rule, command: str) -> bool:
    return any(passes(rule, command, matching) for matching in (policy.matching, *policy.older))


def _vetoed(command: str) -> bool:
    return judge.command(command, PLACE, Grant(), SEARCHER.book).decision is Decision.VETO


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['format']}-{row['fault_id']}-{i}" for i, row in enumerate(ROWS)])
def test_row(row: dict[str, Any]) -> None:
    source = Source(row["path"], row["file"])
    policy = read(source, row["format"])
    places = [at for at in range(len(source.text)) if source.text.startswith(row["at"], at)]
    found = [one for one in lint(source, row["format"], SEARCHER) if one.code == row["code"]]
    wanted = {source.place(at) for at in places}
    hit = next((one for one in found if (one.line, one.column) in wanted), None)
    assert hit is not None, [(one.code, one.line, one.column) for one in found]
    if row["code"][0] == "B" and row["code"] not in NOT_COMMANDS:
        rule = _rule(policy, source.offset(hit.line, hit.column))
        assert _passes(policy, rule, hit.witness)
        assert _vetoed(hit.witness)
        assert row["witness"] in OTHER_RULE or _passes(policy, rule, row["witness"])
        assert row["witness"] in ONLY_READS or _vetoed(row["witness"])
    if row["code"][0] == "D" and row["code"] != "D307":
        rule = _rule(policy, source.offset(hit.line, hit.column))
        assert not all(catches(rule, hit.witness, matching) for matching in (policy.matching, *policy.older))


def test_every_kind_of_fault_is_covered() -> None:
    assert len(ROWS) == 91
    assert len({row["fault_id"] for row in ROWS}) == 76
