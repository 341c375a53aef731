"""Workflow files: what is accepted, and that every fault is located."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from guard.model.effect import Kind
from guard.model.errors import RuleError
from guard.model.grant import READ_ONLY, Grant
from guard.rulebook.build import plain_data
from guard.rulebook.grant_reader import Sets, read_sets
from guard.rulebook.yaml_source import read_file
from guard.workflow import catalog
from guard.workflow.catalog import NOT_WORKFLOWS, load, shipped
from guard.workflow.definition import (
    Budget,
    Command,
    Goto,
    Loop,
    Parallel,
    Prompt,
    Require,
    Workflow,
    WorkflowStep,
    from_json,
    to_json,
)
from guard.workflow.reader import read_workflow
from guard.workflow.schema import SCHEMA

PRINCIPLES = {"evidence": "Name the evidence."}
NOTHING = Require(False, (), None)
HEAD = "name: demo\ndescription: A demo.\n"

FULL = """\
name: demo
description: |
  A
  demo.
enforce: soft
principles: [evidence]
branch_name: devkit/demo
budget: {limit: 100, warn_at: 80.5}
max_visits: 4
guard: {bash: [read, net_read], subagents: free}
steps:
  - id: look
    prompt: "Look at {{input}}."
    enforce: hard
    loop: {max: 3, until: FOUND, gate: "test -e x", timeout: 5}
    require: {non_empty: true, contains: [a, b], last_line_regex: "^ok$"}
    guard:
      run: ["pytest *", [git, commit, -m, "two words"]]
      write: ["reports/**"]
      tools: [WebFetch]
      subagents: none
  - id: test
    command: pytest -q
    expect: failure
    timeout: 60
    goto: [{when: again, step: look}, {when: on, step: both, max_visits: 2}]
  - {id: both, parallel: [left, right]}
  - {id: left, prompt: "L {{look}}"}
  - {id: right, prompt: "R {{ look }}"}
"""


def read(tmp_path: Path, text: str) -> Workflow:
    path = tmp_path / "demo.yaml"
    path.write_text(text, encoding="utf-8")
    return read_workflow(str(path), PRINCIPLES, "demo.yaml")


def test_every_key_is_read(tmp_path: Path) -> None:
    named = (("evidence", "Name the evidence."),)
    top = Grant(READ_ONLY | {Kind.NET_READ}, subagents="free")
    look = Grant(
        READ_ONLY | {Kind.NET_READ},
        (("pytest", "*"), ("git", "commit", "-m", "two words")),
        ("reports/**",),
        ("WebFetch",),
        "none",
    )
    loop = Loop(3, "FOUND", "test -e x", 5)
    expected = Workflow(
        "demo",
        "A demo.",
        (
            WorkflowStep(
                "look",
                Prompt("Look at {{input}}.", loop),
                True,
                named,
                Require(True, ("a", "b"), "^ok$"),
                (),
                look,
            ),
            WorkflowStep(
                "test",
                Command("pytest -q", "failure", 60),
                True,
                named,
                NOTHING,
                (Goto("again", "look", 4), Goto("on", "both", 2)),
                top,
            ),
            WorkflowStep(
                "both", Parallel((("left", "L {{look}}"), ("right", "R {{ look }}"))), False, named, NOTHING, (), top
            ),
        ),
        "devkit/demo",
        Budget(100, 80.5),
        "demo.yaml",
    )
    workflow = read(tmp_path, FULL)
    assert workflow == expected
    assert from_json(to_json(workflow)) == workflow


STEPS = HEAD + "steps:\n"
FAULTS = [
    # text, the whole error
    ("", "demo.yaml:1:1: empty file: expected a mapping"),
    ("- a\n", "demo.yaml:1:1: workflow: expected a mapping (got a list)"),
    ("name: demo\nsteps: []\n", "demo.yaml:1:1: workflow: missing key 'description'"),
    (HEAD + "steps: []\n", "demo.yaml:3:1: steps: expected at least one step (got none)"),
    (HEAD + "steps: x\n", "demo.yaml:3:1: steps: expected a list (got 'x')"),
    (
        HEAD + "stepz: []\n",
        "demo.yaml:3:1: workflow: unknown key 'stepz': expected one of branch_name, budget, description, enforce, "
        "guard, "
        "max_visits, name, principles, steps",
    ),
    (
        "name: Demo\ndescription: x\nsteps: []\n",
        "demo.yaml:1:1: name: expected lower-case letters, digits, '-' and '_' (got 'Demo')",
    ),
    (STEPS + "  - prompt: x\n", "demo.yaml:4:5: step: missing key 'id'"),
    (STEPS + "  - {id: a}\n", "demo.yaml:4:5: step 'a': expected exactly one of prompt, command, parallel (got none)"),
    (
        STEPS + "  - {id: a, prompt: x, command: y}\n",
        "demo.yaml:4:5: step 'a': expected exactly one of prompt, command, parallel (got prompt and command)",
    ),
    (
        STEPS + "  - {id: a, prompt: x}\n  - {id: a, prompt: y}\n",
        "demo.yaml:5:6: id: 'a' stands twice (first in line 4)",
    ),
    (
        STEPS + "  - {id: a-b, prompt: x}\n  - {id: a_b, prompt: y}\n",
        "demo.yaml:5:6: id: 'a_b' and 'a-b' are both DEVKIT_OUT_A_B in the environment of commands",
    ),
    (
        STEPS + "  - {id: input, prompt: x}\n",
        "demo.yaml:4:6: id: 'input' is the workflow's own input: expected another name",
    ),
    (
        STEPS + "  - {id: a, command: x, enforce: soft}\n",
        "demo.yaml:4:25: enforce: the engine runs a command step, it is always hard",
    ),
    (STEPS + "  - {id: a, prompt: x, enforce: firm}\n", "demo.yaml:4:24: enforce: expected hard or soft (got 'firm')"),
    (
        STEPS + "  - {id: a, prompt: x, expect: success}\n",
        "demo.yaml:4:24: prompt step 'a': unknown key 'expect': expected one of command, enforce, goto, guard, id, "
        "loop, "
        "parallel, principles, prompt, require",
    ),
    (
        STEPS + "  - {id: a, command: x, expect: maybe}\n",
        "demo.yaml:4:25: expect: expected success or failure (got 'maybe')",
    ),
    (STEPS + "  - {id: a, prompt: x, loop: {until: y}}\n", "demo.yaml:4:24: loop: missing key 'max'"),
    (
        STEPS + "  - {id: a, prompt: x, loop: {max: 2}}\n",
        "demo.yaml:4:24: loop: expected 'until' or 'gate': without either it could only fail",
    ),
    (
        STEPS + "  - {id: a, prompt: x, loop: {max: 0, until: y}}\n",
        "demo.yaml:4:31: max: expected a whole number from 1 (got 0)",
    ),
    (
        STEPS + "  - {id: a, prompt: x, loop: {max: many, until: y}}\n",
        "demo.yaml:4:31: max: expected a whole number (got 'many')",
    ),
    (
        STEPS + "  - {id: a, prompt: x, goto: [{when: y, step: b}]}\n",
        "demo.yaml:4:41: step: no step 'b': expected one of a",
    ),
    (
        STEPS + "  - {id: a, prompt: 'See {{b}}'}\n",
        "demo.yaml:4:13: prompt of step 'a': nothing is called 'b': expected one of input, a",
    ),
    (
        STEPS + "  - {id: a, parallel: [b]}\n  - {id: b, prompt: x}\n",
        "demo.yaml:4:13: parallel: expected at least two steps (got 1)",
    ),
    (
        STEPS + "  - {id: a, parallel: [b, c]}\n  - {id: b, prompt: x}\n",
        "demo.yaml:4:27: parallel: no step 'c': expected one of a, b",
    ),
    (
        STEPS + "  - {id: a, parallel: [b, c]}\n  - {id: b, prompt: x}\n  - {id: c, command: x}\n",
        "demo.yaml:4:27: parallel: expected a prompt step (got 'c')",
    ),
    (
        STEPS + "  - {id: a, parallel: [b, c]}\n  - {id: b, prompt: x}\n  - {id: c, prompt: 'y {{b}}'}\n",
        "demo.yaml:6:13: prompt: 'b' reports through its parallel step: expected {{a}}",
    ),
    (
        STEPS + "  - {id: a, parallel: [b, c]}\n  - {id: b, prompt: x, guard: {}}\n  - {id: c, prompt: y}\n",
        "demo.yaml:5:24: guard: belongs to the parallel step 'a'",
    ),
    (
        STEPS
        + "  - {id: a, parallel: [b, c], guard: {subagents: none}}\n  - {id: b, prompt: x}\n  - {id: c, prompt: y}\n",
        "demo.yaml:4:13: parallel: needs sub-agents, which 'guard: {subagents: none}' rules out",
    ),
    (
        STEPS + "  - {id: a, prompt: x, principles: [speed]}\n",
        "demo.yaml:4:37: principles: no principle 'speed': expected one of evidence",
    ),
    (
        STEPS + "  - {id: a, prompt: x, require: {last_line_regex: '('}}\n",
        "demo.yaml:4:34: last_line_regex: not a regular expression: missing ), unterminated subpattern at position 0",
    ),
    (
        STEPS + "  - {id: a, prompt: x, require: {non_empty: yes}}\n",
        "demo.yaml:4:34: non_empty: expected true or false (got 'yes')",
    ),
    (
        STEPS + "  - {id: a, prompt: x, guard: {bash: [wirte]}}\n",
        "demo.yaml:4:39: bash: unknown effect 'wirte': expected one of read, cache, read_secret, net_read, "
        "net_write, write, "
        "delete, repo, process, system, build, exec",
    ),
    (
        STEPS + "  - {id: a, prompt: x, guard: {bash: [opaque]}}\n",
        "demo.yaml:4:39: bash: unknown effect 'opaque': expected one of "
        "read, cache, read_secret, net_read, net_write, write, delete, repo, process, system, build, exec",
    ),
    (
        STEPS + "  - {id: a, prompt: x, guard: {shell: [read]}}\n",
        "demo.yaml:4:32: guard: unknown key 'shell': expected one of bash, run, write, tools, subagents",
    ),
    (
        STEPS + "  - {id: a, prompt: x, guard: {run: ['pytest -k *x']}}\n",
        "demo.yaml:4:38: run: words are matched as a whole, '*' may only be the last one (got '*x')",
    ),
    (
        STEPS + "  - {id: a, prompt: x, guard: {run: ['*']}}\n",
        "demo.yaml:4:38: run: expected the name of a program first (got '*')",
    ),
    (
        STEPS + "  - {id: a, prompt: x, guard: {run: ['a && b']}}\n",
        "demo.yaml:4:38: run: expected plain words, not shell syntax (got '&&')",
    ),
    (
        STEPS + "  - {id: a, prompt: x, guard: {write: [/etc/x]}}\n",
        "demo.yaml:4:40: write: expected a path inside the repository, relative to its root (got '/etc/x')",
    ),
    (
        STEPS + "  - {id: a, prompt: x, guard: {write: [a/../../x]}}\n",
        "demo.yaml:4:40: write: expected a path inside the repository, relative to its root (got 'a/../../x')",
    ),
    (
        STEPS + "  - {id: a, prompt: x, guard: {tools: ['mcp__*']}}\n",
        "demo.yaml:4:40: tools: expected the exact name of a tool (got 'mcp__*')",
    ),
    (
        STEPS + "  - {id: a, prompt: x, guard: {subagents: some}}\n",
        "demo.yaml:4:32: subagents: expected same, free, none (got 'some')",
    ),
    (HEAD + "budget: {warn_at: 3}\nsteps: [{id: a, prompt: x}]\n", "demo.yaml:3:1: budget: missing key 'limit'"),
    (
        HEAD + "budget: {limit: 2, warn_at: 3}\nsteps: [{id: a, prompt: x}]\n",
        "demo.yaml:3:20: warn_at: expected at most the limit of 2 (got 3)",
    ),
    (
        HEAD + "budget: {limit: much}\nsteps: [{id: a, prompt: x}]\n",
        "demo.yaml:3:10: limit: expected a number above 0 (got 'much')",
    ),
    (
        HEAD + "branch_name: 'a b'\nsteps: [{id: a, prompt: x}]\n",
        "demo.yaml:3:1: branch_name: expected the name of a git branch (got 'a b')",
    ),
    (
        HEAD + "branch_name: --orphan\nsteps: [{id: a, prompt: x}]\n",
        "demo.yaml:3:1: branch_name: expected the name of a git branch (got '--orphan')",
    ),
    (STEPS + "  - {id: a, id: b}\n", "demo.yaml:4:13: key 'id' stands twice"),
    (STEPS + "  - {id: a, prompt: x\n", "demo.yaml:5:1: not valid YAML: did not find expected ',' or '}'"),
]


@pytest.mark.parametrize(("text", "error"), FAULTS, ids=[str(number) for number in range(len(FAULTS))])
def test_faults_are_located(tmp_path: Path, text: str, error: str) -> None:
    with pytest.raises(RuleError) as caught:
        read(tmp_path, text)
    assert str(caught.value) == error


def shipped_files() -> list[str]:
    names = sorted(os.listdir(shipped()))
    return [os.path.join(shipped(), name) for name in names if name.endswith(".yaml") and name not in NOT_WORKFLOWS]


def test_eight_workflows_are_shipped() -> None:
    names = {os.path.basename(path) for path in shipped_files()}
    expected = {"tri-review", "bugfix", "feature", "refactor", "research", "audit", "pr-ready", "mega-pr"}
    assert names == {f"{name}.yaml" for name in expected}


@pytest.mark.parametrize("path", shipped_files(), ids=os.path.basename)
def test_shipped_workflows_load_and_fit_the_schema(path: str) -> None:
    workflow = load(path)
    assert from_json(to_json(workflow)) == workflow
    assert all(step.hard for step in workflow.steps)
    assert list(Draft202012Validator(SCHEMA).iter_errors(plain_data(read_file(path)))) == []


def test_tri_review_has_six_steps() -> None:
    steps = load(os.path.join(shipped(), "tri-review.yaml")).steps
    assert [step.id for step in steps] == [
        "gather",
        "review-correctness",
        "review-design",
        "review-tests",
        "consolidate",
        "report",
    ]


SHAPE_FAULTS = [
    text for text, error in FAULTS if "unknown key" in error or "missing key" in error or "exactly one" in error
]


@pytest.mark.parametrize("text", SHAPE_FAULTS, ids=[str(number) for number in range(len(SHAPE_FAULTS))])
def test_the_schema_refuses_what_has_the_wrong_shape(tmp_path: Path, text: str) -> None:
    path = tmp_path / "demo.yaml"
    path.write_text(text, encoding="utf-8")
    assert list(Draft202012Validator(SCHEMA).iter_errors(plain_data(read_file(str(path))))) != []


SETS = """\
run:
  tests: [pytest *, make test]
write:
  tests: ["tests/**", "**/test_*"]
"""
STEP = HEAD + "steps: [{id: one, prompt: x, guard: {run: [%s], write: [%s]}}]\n"


def test_sets_are_lists_by_name(tmp_path: Path) -> None:
    (tmp_path / "sets.yaml").write_text(SETS)
    sets = read_sets(str(tmp_path / "sets.yaml"))
    assert sets == Sets({"tests": (("pytest", "*"), ("make", "test"))}, {"tests": ("tests/**", "**/test_*")})
    path = tmp_path / "demo.yaml"
    path.write_text(STEP % ('"@tests", make test, make x', '"docs/**", "@tests", "@scope/**"'))
    grant = read_workflow(str(path), {}, None, sets).steps[0].grant
    assert grant == Grant(
        run=(("pytest", "*"), ("make", "test"), ("make", "x")),
        write=("docs/**", "tests/**", "**/test_*", "@scope/**"),
    )


@pytest.mark.parametrize(
    ("run", "write", "message"),
    [
        ('"@test"', "", "no set '@test': did you mean '@tests'?"),
        ("", '"@nothing"', "no set '@nothing': expected one of @tests"),
    ],
)
def test_a_set_that_is_none(tmp_path: Path, run: str, write: str, message: str) -> None:
    (tmp_path / "sets.yaml").write_text(SETS)
    path = tmp_path / "demo.yaml"
    path.write_text(STEP % (run, write))
    with pytest.raises(RuleError) as error:
        read_workflow(str(path), {}, None, read_sets(str(tmp_path / "sets.yaml")))
    assert (error.value.line, error.value.message) == (3, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("runs: {}", "sets: unknown key 'runs': expected run or write"),
        ("run: {tests: pytest}", "tests: expected a list (got 'pytest')"),
        ("run: {tests: ['* x']}", "run: expected the name of a program first (got '*')"),
        ("write: {tests: [/etc]}", "write: expected a path inside the repository, relative to its root (got '/etc')"),
        ("run: {tests: ['@other']}", "run: a set does not hold other sets (got '@other')"),
    ],
)
def test_faults_of_a_file_of_sets(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "sets.yaml").write_text(text)
    with pytest.raises(RuleError) as error:
        read_sets(str(tmp_path / "sets.yaml"))
    assert error.value.message == message


def test_a_file_of_sets_beside_a_workflow_adds_to_the_shipped_ones(tmp_path: Path) -> None:
    path = tmp_path / "demo.yaml"
    path.write_text(STEP % ('"@checks", "@mine"', '"@tests"'))
    (tmp_path / "sets.yaml").write_text("run: {checks: [lint], mine: [run it]}")
    grant = catalog.load(str(path)).steps[0].grant
    assert grant.run == (("lint",), ("run", "it"))
    assert "**/conftest.py" in grant.write
