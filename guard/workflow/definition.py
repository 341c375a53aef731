"""A workflow as values: what `reader` makes of a YAML file and what a session keeps as its snapshot.

`Workflow.steps` are the steps that are gone through in order; steps that a `parallel` step names stand in it, not here.
"""

from __future__ import annotations

from typing import Any, NamedTuple, assert_never

from guard.model.grant import Grant
from guard.model.grant_json import grant_from_json, grant_to_json

GATE_SECONDS = 600
MAX_VISITS = 10


class Loop(NamedTuple):
    """Repeats a prompt until `gate` exits 0 or the output has the word `until`, `max` times at most."""

    max: int
    until: str | None
    gate: str | None
    timeout: int


class Prompt(NamedTuple):
    """A step that the agent does."""

    text: str
    loop: Loop | None


class Command(NamedTuple):
    """A step that the engine does: `command` is run by `/bin/sh`; `expect` is `success` or `failure`."""

    command: str
    expect: str
    timeout: int


class Parallel(NamedTuple):
    """Prompts for several sub-agents at the same time, as (step id, text)."""

    members: tuple[tuple[str, str], ...]


class Require(NamedTuple):
    """What the output of a step must be like before it counts as done."""

    non_empty: bool
    contains: tuple[str, ...]
    last_line_regex: str | None


class Goto(NamedTuple):
    """Jump to `step` when the output has the word `when`; going back is possible until `step` had `max_visits`."""

    when: str
    step: str
    max_visits: int


class WorkflowStep(NamedTuple):
    """One step. `principles` are (key, text) pairs."""

    id: str
    does: Prompt | Command | Parallel
    hard: bool
    principles: tuple[tuple[str, str], ...]
    require: Require
    goto: tuple[Goto, ...]
    grant: Grant

    @property
    def kind(self) -> str:
        """`prompt`, `command` or `parallel`."""
        return type(self.does).__name__.lower()


class Budget(NamedTuple):
    """`limit` and `warn_at` in whatever unit the reports use (tokens, cents)."""

    limit: float
    warn_at: float


class Workflow(NamedTuple):
    """A workflow; `source` is the file it was read from."""

    name: str
    description: str
    steps: tuple[WorkflowStep, ...]
    branch_name: str | None
    budget: Budget | None
    source: str

    def position(self, step_id: str) -> int:
        """Index of the step with this id."""
        return next(index for index, step in enumerate(self.steps) if step.id == step_id)


def to_json(workflow: Workflow) -> dict[str, Any]:
    """The snapshot of a workflow."""
    return {
        "name": workflow.name,
        "description": workflow.description,
        "steps": [_step_to_json(step) for step in workflow.steps],
        "branch_name": workflow.branch_name,
        "budget": workflow.budget,
        "source": workflow.source,
    }


def from_json(data: dict[str, Any]) -> Workflow:
    """The workflow of a snapshot that `to_json` made."""
    steps = tuple(_step_from_json(step) for step in data["steps"])
    budget = Budget(*data["budget"]) if data["budget"] else None
    return Workflow(data["name"], data["description"], steps, data["branch_name"], budget, data["source"])


def _step_to_json(step: WorkflowStep) -> dict[str, Any]:
    return {**step._asdict(), "kind": step.kind, "grant": grant_to_json(step.grant)}


def _step_from_json(data: dict[str, Any]) -> WorkflowStep:
    require, goto = data["require"], data["goto"]
    return WorkflowStep(
        data["id"],
        _does_from_json(data["kind"], data["does"]),
        data["hard"],
        tuple((key, text) for key, text in data["principles"]),
        Require(require[0], tuple(require[1]), require[2]),
        tuple(Goto(*jump) for jump in goto),
        grant_from_json(data["grant"]),
    )


def _does_from_json(kind: str, data: list[Any]) -> Prompt | Command | Parallel:
    if kind == "prompt":
        return Prompt(data[0], Loop(*data[1]) if data[1] else None)
    if kind == "command":
        return Command(*data)
    return Parallel(tuple((member, text) for member, text in data[0]))


def texts(does: Prompt | Command | Parallel) -> tuple[str, ...]:
    """The prompts of a step, before interpolation."""
    if isinstance(does, Prompt):
        return (does.text,)
    if isinstance(does, Parallel):
        return tuple(text for _, text in does.members)
    if isinstance(does, Command):
        return ()
    assert_never(does)
