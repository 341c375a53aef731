"""Witnesses: whatever the rule, what is printed passes in the tool's model and is vetoed by the classifier."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard import judge
from guard.lint.check import File
from guard.lint.policy import passes
from guard.lint.run import read
from guard.lint.source import Source
from guard.lint.witness import PLACE, Searcher
from guard.model.effect import Kind
from guard.model.grant import Grant
from guard.model.verdict import Decision

SEARCHER = Searcher()
PROGRAMS = SEARCHER.names()


def _sound(form: str, text: str) -> int:
    policy = read(Source("rules", text), form)
    grantees = File(policy, SEARCHER).grantees
    for rule, kind, witness, _ in grantees:
        assert passes(rule, witness.command, witness.matching), (kind, witness)
        assert witness.matching in (policy.matching, *policy.older)
        verdict = judge.command(witness.command, PLACE, Grant(), SEARCHER.book)
        assert verdict.decision is Decision.VETO, (kind, witness)
        assert any(effect.kind is witness.kind for effect in verdict.effects)
    return len(grantees)


def _file(form: str, rules: list[str]) -> str:
    if form == "claude":
        return json.dumps({"permissions": {"allow": [f"Bash({rule})" for rule in rules]}})
    if form == "opencode":
        return json.dumps({"permission": {"bash": dict.fromkeys(rules, "allow")}})
    if form == "vscode":
        return json.dumps({"chat.tools.terminal.autoApprove": dict.fromkeys(rules, True)})
    if form == "codex-rules":
        return "".join(f"prefix_rule(pattern={json.dumps(rule.split() or ['x'])})\n" for rule in rules)
    if form == "list":
        return "".join(f"allow glob {rule}\n" for rule in rules)
    return json.dumps({"permissions": {"allow": [f"Shell({rule})" for rule in rules]}})


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["claude", "opencode", "vscode", "codex-rules", "list", "cursor"]),
    st.lists(
        st.tuples(
            st.sampled_from(PROGRAMS), st.sampled_from(["", ":*", " *", "*", " -* x", " * --help", " push *", " x"])
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_every_witness_passes_and_is_vetoed(form: str, rules: list[tuple[str, str]]) -> None:
    _sound(form, _file(form, [program + tail for program, tail in rules]))


CASES = [
    ("Bash(find:*)", "find . -delete", Kind.DELETE),
    ("Bash(xxd:*)", "xxd a.bin b.hex", Kind.WRITE),
    ("Bash(rg:*)", "rg --pre ./p.sh x", Kind.EXEC),
    ("Bash(timeout:*)", "timeout 1 rm -rf logs", Kind.DELETE),
    ("Bash(env:*)", "env rm -rf logs", Kind.DELETE),
    ("Bash(npm run build)", "npm run build", Kind.EXEC),
    ("Bash(./scripts/:*)", "./scripts/new.sh", Kind.EXEC),
    ("Bash(* --version)", "rm -rf logs --version", Kind.DELETE),
]


@pytest.mark.parametrize(("rule", "command", "kind"), CASES, ids=[case[0] for case in CASES])
def test_witness(rule: str, command: str, kind: Kind) -> None:
    policy = read(Source("x", json.dumps({"permissions": {"allow": [rule]}})), "claude")
    (one,) = File(policy, SEARCHER).grantees
    if rule == "Bash(env:*)":
        assert one.witness.kind is kind
    else:
        assert (one.witness.command, one.witness.kind) == (command, kind)


@pytest.mark.parametrize(
    "rule", ["ls:*", "wc:*", "grep:*", "head:*", "cut:*", "pwd", "git status", "stat:*", "basename:*"]
)
def test_readers_have_none(rule: str) -> None:
    assert _sound("claude", _file("claude", [rule])) == 0
