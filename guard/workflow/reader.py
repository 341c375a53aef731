"""YAML → Workflow. Strict: what is unknown, of a wrong type or refers to nothing is an error with its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from guard.rulebook.grant_reader import NO_SETS, Sets, guard_keys, read_grant
from guard.rulebook.yaml_source import Value, read_file
from guard.workflow.definition import (
    GATE_SECONDS,
    MAX_VISITS,
    Budget,
    Command,
    Goto,
    Loop,
    Parallel,
    Prompt,
    Require,
    Workflow,
    WorkflowStep,
)

TOP = {"name", "description", "enforce", "principles", "branch_name", "budget", "guard", "max_visits", "steps"}
STEP = {"id", "prompt", "command", "parallel", "enforce", "principles", "guard", "goto"}
ONLY = {
    "prompt": {"require", "loop"},
    "command": {"expect", "timeout"},
    "parallel": {"require"},
}
"""Keys that only steps of one kind may have, beside those of `STEP`."""
REFERENCE = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_ID = re.compile(r"[a-z][a-z0-9_-]*\Z")

Principles = Mapping[str, str]


def read_workflow(path: str, principles: Principles, shown: str | None = None, sets: Sets = NO_SETS) -> Workflow:
    """The workflow in the file at `path`. `principles` are the texts by key, `sets` what `@name` in a grant stands for.

    Raises RuleError.
    """
    value = read_file(path, shown)
    keys = known(value, "workflow", TOP, ("name", "description", "steps"))
    name = identifier(keys["name"], "name")
    return _Reader(keys, principles, sets).workflow(name, value.path)


def read_principles(path: str) -> dict[str, str]:
    """The principles file: a mapping from key to text. Raises RuleError."""
    entries = read_file(path).mapping("principles")
    return {key: entry.text(f"principle '{key}'").strip() for key, entry in entries.items()}


def known(value: Value, what: str, allowed: Collection[str], needed: Collection[str] = ()) -> dict[str, Value]:
    """`value` as a mapping that has no key outside `allowed` and every key in `needed`."""
    keys = value.mapping(what)
    for key, inner in keys.items():
        if key not in allowed:
            raise inner.fail(f"{what}: unknown key '{key}': expected one of {', '.join(sorted(allowed))}")
    for key in needed:
        if key not in keys:
            raise value.fail(f"{what}: missing key '{key}'")
    return keys


def identifier(value: Value, what: str) -> str:
    """A name of lower-case letters, digits, `-` and `_` that starts with a letter."""
    text = value.text(what)
    if not _ID.match(text):
        raise value.fail(f"{what}: expected lower-case letters, digits, '-' and '_' (got '{text}')")
    return text


def choice(value: Value, what: str, allowed: Collection[str]) -> str:
    """One of a few words."""
    text = value.text(what)
    if text not in allowed:
        raise value.fail(f"{what}: expected {' or '.join(allowed)} (got '{text}')")
    return text


def positive(value: Value, what: str) -> int:
    """A whole number from 1."""
    number = value.number(what)
    if number < 1:
        raise value.fail(f"{what}: expected a whole number from 1 (got {number})")
    return number


def environment_name(step_id: str) -> str:
    """The variable in which commands find the output of a step."""
    return "DEVKIT_OUT_" + step_id.upper().replace("-", "_")


class _Reader:
    """Reads one file; holds what its steps inherit and where its ids stand."""

    def __init__(self, keys: dict[str, Value], principles: Principles, sets: Sets) -> None:
        self.keys = keys
        self.sets = sets
        self.known_principles = principles
        self.hard = self.enforce(keys, True)
        self.principles = self.principle_texts(keys)
        self.max_visits = positive(keys["max_visits"], "max_visits") if "max_visits" in keys else MAX_VISITS
        self.guard = guard_keys(keys.get("guard"))
        self.ids: dict[str, Value] = {}
        self.members: dict[str, str] = {}

    def workflow(self, name: str, source: str) -> Workflow:
        keys = self.keys
        entries = keys["steps"].sequence("steps")
        if not entries:
            raise keys["steps"].fail("steps: expected at least one step (got none)")
        steps = {self.step_id(entry): entry for entry in entries}
        self.find_members(steps)
        read = {step_id: self.step(step_id, entry) for step_id, entry in steps.items()}
        ordered = tuple(self.joined(step, read) for step_id, step in read.items() if step_id not in self.members)
        for step_id, entry in steps.items():
            self.check_references(step_id, entry)
        description = " ".join(keys["description"].text("description").split())
        return Workflow(name, description, ordered, self.branch(), self.budget(), source)

    def step_id(self, entry: Value) -> str:
        keys = entry.mapping("step")
        if "id" not in keys:
            raise entry.fail("step: missing key 'id'")
        found = identifier(keys["id"], "id")
        if found == "input":
            raise keys["id"].fail("id: 'input' is the workflow's own input: expected another name")
        for other in self.ids:
            if other == found:
                raise keys["id"].fail(f"id: '{found}' stands twice (first in line {self.ids[other].line})")
            if environment_name(other) == environment_name(found):
                raise keys["id"].fail(
                    f"id: '{found}' and '{other}' are both {environment_name(found)} in the environment of commands"
                )
        self.ids[found] = keys["id"]
        return found

    def find_members(self, steps: dict[str, Value]) -> None:
        for step_id, entry in steps.items():
            keys = entry.mapping("step")
            for member in keys["parallel"].sequence("parallel") if "parallel" in keys else []:
                name = self.reference(member, "parallel", steps)
                if "prompt" not in steps[name].mapping("step"):
                    raise member.fail(f"parallel: expected a prompt step (got '{name}')")
                if name in self.members:
                    raise member.fail(f"parallel: '{name}' is already part of step '{self.members[name]}'")
                self.members[name] = step_id

    def step(self, step_id: str, entry: Value) -> WorkflowStep:
        keys = entry.mapping("step")
        kinds = [kind for kind in ONLY if kind in keys]
        if len(kinds) != 1:
            found = " and ".join(kinds) or "none"
            raise entry.fail(f"step '{step_id}': expected exactly one of prompt, command, parallel (got {found})")
        kind = kinds[0]
        known(entry, f"{kind} step '{step_id}'", STEP | ONLY[kind])
        if kind == "command" and "enforce" in keys:
            raise keys["enforce"].fail("enforce: the engine runs a command step, it is always hard")
        if step_id in self.members:
            for key in keys.keys() & {"loop", "goto", "require", "guard", "enforce", "principles"}:
                raise keys[key].fail(f"{key}: belongs to the parallel step '{self.members[step_id]}'")
        grant = read_grant(self.guard, guard_keys(keys.get("guard")), self.sets)
        if kind == "parallel" and grant.subagents == "none":
            raise keys["parallel"].fail("parallel: needs sub-agents, which 'guard: {subagents: none}' rules out")
        return WorkflowStep(
            step_id,
            self.does(kind, keys),
            self.enforce(keys, self.hard or kind == "command"),
            self.own_principles(keys),
            self.require(keys.get("require")),
            self.gotos(keys.get("goto")),
            grant,
        )

    def does(self, kind: str, keys: dict[str, Value]) -> Prompt | Command | Parallel:
        if kind == "prompt":
            return Prompt(keys["prompt"].text("prompt").strip(), self.loop(keys.get("loop")))
        if kind == "command":
            expect = choice(keys["expect"], "expect", ("success", "failure")) if "expect" in keys else "success"
            return Command(keys["command"].text("command").strip(), expect, self.timeout(keys))
        names = [name.text("parallel") for name in keys["parallel"].sequence("parallel")]
        if len(names) < 2:
            raise keys["parallel"].fail(f"parallel: expected at least two steps (got {len(names)})")
        return Parallel(tuple((name, "") for name in names))

    def joined(self, step: WorkflowStep, read: dict[str, WorkflowStep]) -> WorkflowStep:
        if not isinstance(step.does, Parallel):
            return step
        prompts = tuple((name, _prompt_text(read[name])) for name, _ in step.does.members)
        return step._replace(does=Parallel(prompts))

    def loop(self, value: Value | None) -> Loop | None:
        if value is None:
            return None
        keys = known(value, "loop", {"max", "until", "gate", "timeout"}, ("max",))
        if "until" not in keys and "gate" not in keys:
            raise value.fail("loop: expected 'until' or 'gate': without either it could only fail")
        until = keys["until"].text("until") if "until" in keys else None
        gate = keys["gate"].text("gate") if "gate" in keys else None
        return Loop(positive(keys["max"], "max"), until, gate, self.timeout(keys))

    def timeout(self, keys: dict[str, Value]) -> int:
        return positive(keys["timeout"], "timeout") if "timeout" in keys else GATE_SECONDS

    def require(self, value: Value | None) -> Require:
        if value is None:
            return Require(False, (), None)
        keys = known(value, "require", {"non_empty", "contains", "last_line_regex"})
        contains = keys["contains"].sequence("contains") if "contains" in keys else []
        regex = keys["last_line_regex"].text("last_line_regex") if "last_line_regex" in keys else None
        if regex is not None:
            try:
                re.compile(regex)
            except re.error as error:
                raise keys["last_line_regex"].fail(f"last_line_regex: not a regular expression: {error}") from error
        flag = keys["non_empty"].flag("non_empty") if "non_empty" in keys else False
        return Require(flag, tuple(text.text("contains") for text in contains), regex)

    def gotos(self, value: Value | None) -> tuple[Goto, ...]:
        return tuple(self.goto(entry) for entry in value.sequence("goto")) if value is not None else ()

    def goto(self, entry: Value) -> Goto:
        keys = known(entry, "goto", {"when", "step", "max_visits"}, ("when", "step"))
        target = self.reference(keys["step"], "step", self.ids)
        if target in self.members:
            raise keys["step"].fail(f"step: '{target}' is part of step '{self.members[target]}': name that one")
        visits = positive(keys["max_visits"], "max_visits") if "max_visits" in keys else self.max_visits
        return Goto(keys["when"].text("when"), target, visits)

    def reference(self, value: Value, what: str, ids: Collection[str]) -> str:
        name = value.text(what)
        if name not in ids:
            raise value.fail(f"{what}: no step '{name}': expected one of {', '.join(ids)}")
        return name

    def check_references(self, step_id: str, entry: Value) -> None:
        keys = entry.mapping("step")
        if "prompt" not in keys:
            return
        for name in REFERENCE.findall(keys["prompt"].text("prompt")):
            if name in self.members:
                raise keys["prompt"].fail(
                    f"prompt: '{name}' reports through its parallel step: expected {{{{{self.members[name]}}}}}"
                )
            if name != "input" and name not in self.ids:
                expected = ", ".join(["input", *(other for other in self.ids if other not in self.members)])
                raise keys["prompt"].fail(
                    f"prompt of step '{step_id}': nothing is called '{name}': expected one of {expected}"
                )

    def enforce(self, keys: dict[str, Value], inherited: bool) -> bool:
        return choice(keys["enforce"], "enforce", ("hard", "soft")) == "hard" if "enforce" in keys else inherited

    def principle_texts(self, keys: dict[str, Value]) -> tuple[tuple[str, str], ...]:
        entries = keys["principles"].sequence("principles") if "principles" in keys else []
        return tuple((self.principle(entry), self.known_principles[entry.text("principle")]) for entry in entries)

    def own_principles(self, keys: dict[str, Value]) -> tuple[tuple[str, str], ...]:
        return tuple(dict([*self.principles, *self.principle_texts(keys)]).items())

    def principle(self, entry: Value) -> str:
        name = entry.text("principle")
        if name not in self.known_principles:
            expected = ", ".join(sorted(self.known_principles)) or "none: there is no principles.yaml"
            raise entry.fail(f"principles: no principle '{name}': expected one of {expected}")
        return name

    def branch(self) -> str | None:
        value = self.keys.get("branch_name")
        if value is None:
            return None
        name = value.text("branch_name")
        plain = all(part and not part.startswith((".", "-")) and not part.endswith(".lock") for part in name.split("/"))
        if not plain or ".." in name or re.search(r"[^A-Za-z0-9._/+-]", name):
            raise value.fail(f"branch_name: expected the name of a git branch (got '{name}')")
        return name

    def budget(self) -> Budget | None:
        value = self.keys.get("budget")
        if value is None:
            return None
        keys = known(value, "budget", {"limit", "warn_at"}, ("limit",))
        limit = _amount(keys["limit"], "limit")
        warn_at = _amount(keys["warn_at"], "warn_at") if "warn_at" in keys else limit
        if warn_at > limit:
            raise keys["warn_at"].fail(f"warn_at: expected at most the limit of {limit:g} (got {warn_at:g})")
        return Budget(limit, warn_at)


def _prompt_text(step: WorkflowStep) -> str:
    assert isinstance(step.does, Prompt)
    return step.does.text


def _amount(value: Value, what: str) -> float:
    text = value.text(what)
    if not re.fullmatch(r"\d+(\.\d+)?", text) or float(text) <= 0:
        raise value.fail(f"{what}: expected a number above 0 (got {value.described()})")
    return float(text)
