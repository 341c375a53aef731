"""Checks of our own rule, workflow and board files: each finds its fault, at its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from guard.lint import discover, flows, rules
from guard.lint.config import Config
from guard.lint.own_pages import OWN
from guard.lint.session import Session

HEAD = "summary: Sorts lines.\nsource: https://example.org\n"
RULES = [
    ("O801", HEAD + "optoins: {}\nexamples: {allow: [x], veto: [x > a]}\n", 3, "did you mean 'options'?"),
    (
        "O801",
        HEAD + "options: {-i: {effect: wirte}}\nexamples: {allow: [x], veto: [x -j]}\n",
        3,
        "did you mean 'write'?",
    ),
    (
        "O801",
        HEAD + "operands: [{read: many, unless: [-f]}]\nexamples: {allow: [x], veto: [x -j]}\n",
        3,
        "unknown option",
    ),
    ("O802", HEAD + "language: fnd\nexamples: {allow: [x], veto: [x -j]}\n", 1, "did you mean 'find'?"),
    ("O802", HEAD + "check: repositry\nexamples: {allow: [x], veto: [x -j]}\n", 1, "did you mean 'repository'?"),
    ("O802", HEAD + "prints_by: gti\nexamples: {allow: [x], veto: [x -j]}\n", 1, "did you mean 'git'?"),
    ("O803", HEAD + "examples: {allow: [x -j], veto: [x > a]}\n", 3, "expected allow (got veto)"),
    ("O804", HEAD + "examples: {allow: [x]}\n", 1, "no example of a call that gets veto"),
    ("O805", HEAD + "inert: true\noptions: {-o: {takes: write}}\nexamples: {allow: [x], veto: [x -o a]}\n", 4, "inert"),
    ("O806", HEAD + "examples: {allow: [x], veto: [y -o]}\n", 3, "does not call 'x'"),
    ("O807", HEAD + "examples: {allow: [x], veto: [x -j, x -j]}\n", 3, "the same example"),
    (
        "O808",
        "summary: Sorts; -o writes.\nsource: https://e.org\nexamples: {allow: [x], veto: [x -j]}\n",
        1,
        "names -o",
    ),
    (
        "O809",
        HEAD + "subcommands:\n  a: {options: {--out: {takes: write}}}\n  b:\n    options:\n      --out: {takes: text}\n"
        "examples: {allow: [x b], veto: [x -j]}\n",
        7,
        "of 'b' has no effect",
    ),
    (
        "O810",
        HEAD + "options:\n  -i: {effect: opaque, message: 'TODO: edit'}\nexamples: {allow: [x], veto: [x TODO]}\n",
        4,
        "still to be judged: message: edit",
    ),
    *(
        (
            "O811",
            HEAD + f"options:\n  -o: {{takes: write, instead: {text!r}}}\nexamples: {{allow: [x], veto: [x -o a]}}\n",
            4,
            message,
        )
        for text, message in [
            ("leave -o out", "no command in backquotes"),
            ("`x", "no command in backquotes"),
            ("`x -o a`", "`x -o a` is not allowed itself"),
            ("`ls` or `rm FILE`", "`rm FILE` is not allowed itself"),
            ("`curl -s https://host.example`", "is not allowed itself"),
            ("`rm FILE`, where net_read is granted", "is not allowed itself"),
            ("`ls net_read` and `curl -s https://host.example`", "is not allowed itself"),
        ]
    ),
]


@pytest.mark.parametrize(
    ("code", "text", "line", "message"), RULES, ids=[f"{case[0]}-{i}" for i, case in enumerate(RULES)]
)
def test_rule(tmp_path: Path, code: str, text: str, line: int, message: str) -> None:
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "x.yaml").write_text(text)
    found = {one.code: one for one in rules.check(str(tmp_path), ["x.yaml"])}
    assert code in found, found
    assert found[code].line == line
    assert message in found[code].message


@pytest.mark.parametrize("text", ["`x` without -o", "`curl -s URL`, where net_read is granted", "`ls` or `x a`"])
def test_alternative(tmp_path: Path, text: str) -> None:
    (tmp_path / "commands").mkdir()
    rule = "options:\n  -o: {takes: write, instead: " + repr(text) + "}\noperands: [{read: many}]\n"
    (tmp_path / "commands" / "x.yaml").write_text(HEAD + rule + "examples: {allow: [x], veto: [x -o a]}\n")
    assert not rules.check(str(tmp_path), ["x.yaml"])


TOP = "name: w\ndescription: d\nsteps:\n"
WORKFLOWS = [
    ("W901", TOP + "  - {id: a, promt: x}\n", 4, "expected exactly one of"),
    (
        "W902",
        TOP + "  - {id: a, prompt: p, require: {contains: [NEXT]}, goto: [{when: NEXT, step: c}]}\n"
        "  - {id: b, prompt: p}\n  - {id: c, prompt: p}\n",
        5,
        "step 'b'",
    ),
    ("W903", TOP + "  - {id: a, prompt: Read the code., guard: {bash: [net_write]}}\n", 4, "net_write"),
    ("W903", TOP + "  - {id: a, prompt: Read the code., guard: {run: [cargo clean]}}\n", 4, "running cargo"),
    ("W903", TOP + "  - {id: a, prompt: Read the code., guard: {write: [a/**]}}\n", 4, "anything is written"),
    ("W904", TOP + "  - {id: a, prompt: Say OK., loop: {max: 2, gate: 'false'}}\n", 4, "always fails"),
    ("W904", TOP + "  - {id: a, command: 'true', expect: failure}\n", 4, "always succeeds"),
    (
        "W904",
        TOP + '  - {id: a, prompt: p, require: {last_line_regex: "a\\nb"}}\n'.replace("\\n", "\\\\n"),
        4,
        "last line",
    ),
    ("W905", TOP + "  - {id: a, prompt: Mend it., loop: {max: 2, until: FIXED}}\n", 4, "say 'FIXED'"),
    (
        "W905",
        TOP + "  - {id: a, prompt: p, require: {contains: [AGAIN]}, goto: [{when: AGAIN, step: a}]}\n",
        4,
        "only the count",
    ),
]


@pytest.mark.parametrize(
    ("code", "text", "line", "message"), WORKFLOWS, ids=[f"{case[0]}-{i}" for i, case in enumerate(WORKFLOWS)]
)
def test_workflow(tmp_path: Path, code: str, text: str, line: int, message: str) -> None:
    path = tmp_path / "w.yaml"
    path.write_text(text)
    found = [one for one in flows.check_workflow(str(path), "w.yaml") if one.code == code]
    assert [(one.line, message in one.message) for one in found] == [(line, True)], found


def test_board(tmp_path: Path) -> None:
    path = tmp_path / "board.yaml"
    path.write_text("name: b\nstages:\n  - {id: a, next: [nowhere]}\n  - {id: z, final: true}\n")
    (one,) = flows.check_board(str(path), "board.yaml")
    assert (one.code, one.line, one.path) == ("W906", 3, "board.yaml")


def test_every_own_check_is_tried() -> None:
    tried = {case[0] for case in (*RULES, *WORKFLOWS)} | {"W906", "F001", "S001"}
    assert tried == set(OWN)


@pytest.mark.parametrize(
    ("folder", "codes"),
    [("conf", {"rm.yaml": {"O803"}}), (".devkit-guard", {"rm.yaml": {"O803"}, "mine.yaml": {"O803"}})],
)
def test_overlays_are_judged_over_the_shipped_rules(tmp_path: Path, folder: str, codes: dict[str, set[str]]) -> None:
    """A user's file can add a program, a repository's cannot; neither loosens what is shipped."""
    head = "summary: x\nsource: https://example.com\noperands: [{read: many}]\n"
    commands = tmp_path / folder / "commands"
    commands.mkdir(parents=True)
    for name in ("rm", "mine"):
        text = f"{head}examples: {{allow: [{name} a], veto: [{name} -x]}}\n"
        (commands / f"{name}.yaml").write_text(text)
    session = Session(Config())
    found: dict[str, set[str]] = {}
    for target in discover.named(str(tmp_path / folder), None):
        for one in session.lint(target):
            found.setdefault(os.path.basename(one.path), set()).add(one.code)
    assert found == codes
