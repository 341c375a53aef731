"""The workflow engine: pure functions from a workflow, a state and an event to the next state.

Nothing here reads a clock, a file or the environment; commands and gates have run before their outcome comes in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, assert_never

from guard.workflow.definition import Command, Goto, Loop, Parallel, Prompt, Workflow, WorkflowStep

RUNNING, DONE, FAILED, ABORTED = "running", "done", "failed", "aborted"


class Outcome(NamedTuple):
    """How a command or gate ended. `exit` is None where it has no exit status; `why` says then what happened to it."""

    exit: int | None
    output: str
    why: str = ""


class State(NamedTuple):
    """Where a session is. `step` is an index into the workflow's steps (their number when it is done).

    `iteration` counts a loop from 1, `visits` how often each step was entered, `outputs` the newest output of each
    step. `spent` is what the reports added up to. `notice` is what the last event has to say: a requirement that is
    not met, a command that failed, why a session ended.
    """

    status: str
    step: int
    iteration: int
    visits: Mapping[str, int]
    outputs: Mapping[str, str]
    spent: float
    notice: str
    input: str


class Reported(NamedTuple):
    """The agent says that its step is done. `gate` is the outcome of the loop's gate, None where none had to run."""

    output: str
    gate: Outcome | None = None
    spent: float = 0


class Ran(NamedTuple):
    """The engine ran the command of a command step."""

    outcome: Outcome


class Aborted(NamedTuple):
    """Somebody ends the session."""

    reason: str


Event = Reported | Ran | Aborted


def begin(workflow: Workflow, text: str) -> State:
    """The state of a new session: its first step is open."""
    return State(RUNNING, 0, 1, {workflow.steps[0].id: 1}, {}, 0, "", text)


def advance(workflow: Workflow, state: State, event: Event) -> State:
    """The state after `event`. A step that is not done stays open, with the reason in `notice`."""
    if state.status != RUNNING:
        return state
    if isinstance(event, Aborted):
        return state._replace(status=ABORTED, notice=f"aborted: {event.reason}")
    step = workflow.steps[state.step]
    if isinstance(event, Ran):
        return _ran(workflow, state, step, event.outcome)
    if isinstance(event, Reported):
        return _reported(workflow, state, step, event)
    assert_never(event)


def has_word(text: str, word: str) -> bool:
    """Whether `word` stands in `text` as a whole, not as a part of a longer word."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def says(step: WorkflowStep, output: str, word: str) -> bool:
    """Whether the output of `step` says the word that decides what follows.

    A step that says what its last line must be like has its verdict there: elsewhere the word is only talked about.
    """
    return has_word(output if step.require.last_line_regex is None else plain(last_line(output)), word)


def last_line(output: str) -> str:
    """The last line that is not empty, or the empty text."""
    return (output.strip().splitlines() or [""])[-1]


def plain(line: str) -> str:
    """A line without the marks of Markdown around it: `**findings: 2**`."""
    return line.strip("*_`> \t")


def unmet(step: WorkflowStep, output: str) -> tuple[str, ...]:
    """The requirements of `step` that `output` does not meet."""
    require, found = step.require, []
    if require.non_empty and not output.strip():
        found.append("the output must not be empty")
    folded = output.casefold()
    found += [f"the output must contain '{text}'" for text in require.contains if text.casefold() not in folded]
    if require.last_line_regex is not None:
        line = last_line(output)
        if not any(re.search(require.last_line_regex, form) for form in (line, plain(line))):
            found.append(f"the last line must match /{require.last_line_regex}/ (got '{line[:80]}')")
    return tuple(found)


def gate_of(workflow: Workflow, state: State, output: str) -> Loop | None:
    """The loop whose gate has to run before `output` can be judged; None where none has."""
    step = workflow.steps[state.step]
    if not isinstance(step.does, Prompt) or step.does.loop is None or step.does.loop.gate is None:
        return None
    loop = step.does.loop
    if unmet(step, output) or (loop.until is not None and says(step, output, loop.until)):
        return None
    return loop


def over_budget(workflow: Workflow, state: State) -> str:
    """Why no further work may be done, empty where the budget is not used up."""
    budget = workflow.budget
    if budget is None or state.spent < budget.limit:
        return ""
    return f"the budget of {budget.limit:g} is used up ({state.spent:g}): abort the workflow"


def _ran(workflow: Workflow, state: State, step: WorkflowStep, outcome: Outcome) -> State:
    assert isinstance(step.does, Command)
    state = state._replace(outputs={**state.outputs, step.id: outcome.output})
    if met(step.does.expect, outcome):
        return _leave(workflow, state, step, outcome.output)
    wanted = "exit status 0" if step.does.expect == "success" else "an exit status from 1 to 125"
    return state._replace(
        notice=f"command of step {step.id} failed: expected {wanted} (got {ended(outcome)})\n{tail(outcome.output)}"
    )


def met(expect: str, outcome: Outcome) -> bool:
    """Whether a command ended as expected. One that was not found, was killed or ran too long never did."""
    if outcome.exit is None:
        return False
    return outcome.exit == 0 if expect == "success" else 1 <= outcome.exit <= 125


def ended(outcome: Outcome) -> str:
    """How a command ended, in words."""
    if outcome.exit is None:
        return outcome.why
    return f"signal {-outcome.exit}" if outcome.exit < 0 else f"exit status {outcome.exit}"


def tail(text: str, lines: int = 20, size: int = 2000) -> str:
    """The end of a long output."""
    return "\n".join(text[-size:].splitlines()[-lines:])


def _reported(workflow: Workflow, state: State, step: WorkflowStep, event: Reported) -> State:
    if isinstance(step.does, Command):
        return state
    if used_up := over_budget(workflow, state):
        return state._replace(notice=used_up)
    state = state._replace(spent=state.spent + event.spent, notice="")
    problems = unmet(step, event.output)
    if problems:
        return state._replace(notice="not advanced: " + "; ".join(problems))
    state = state._replace(outputs={**state.outputs, step.id: event.output})
    loop = None if isinstance(step.does, Parallel) else step.does.loop
    if loop is not None and not _loop_passes(step, loop, event):
        return _again(workflow, state, step, loop, event.gate)
    return _leave(workflow, state, step, event.output)


def _loop_passes(step: WorkflowStep, loop: Loop, event: Reported) -> bool:
    if loop.until is not None and says(step, event.output, loop.until):
        return True
    return event.gate is not None and event.gate.exit == 0


def _again(workflow: Workflow, state: State, step: WorkflowStep, loop: Loop, gate: Outcome | None) -> State:
    missing = [] if loop.until is None else [f"no '{loop.until}' in the output"]
    if gate is not None:
        missing.append(f"the gate gave {ended(gate)}\n{tail(gate.output)}")
    why = f"step {step.id}, round {state.iteration} of {loop.max}: " + "; ".join(missing)
    if state.iteration >= loop.max:
        return state._replace(status=FAILED, notice=f"loop used up: {why}")
    return _warned(workflow, state._replace(iteration=state.iteration + 1, notice=why))


def _leave(workflow: Workflow, state: State, step: WorkflowStep, output: str) -> State:
    jump = next((jump for jump in step.goto if says(step, output, jump.when)), None)
    target = state.step + 1 if jump is None else workflow.position(jump.step)
    if target == len(workflow.steps):
        return state._replace(status=DONE, step=target, iteration=1, notice="")
    visits = state.visits.get(workflow.steps[target].id, 0) + 1
    if jump is not None and target <= state.step and visits > jump.max_visits:
        return state._replace(status=FAILED, notice=_too_often(jump, step))
    entered = {**state.visits, workflow.steps[target].id: visits}
    return _warned(workflow, state._replace(step=target, iteration=1, visits=entered, notice=""))


def _too_often(jump: Goto, step: WorkflowStep) -> str:
    return f"step {step.id} says '{jump.when}', but step {jump.step} was already entered {jump.max_visits} times"


def _warned(workflow: Workflow, state: State) -> State:
    budget = workflow.budget
    if budget is None or state.spent < budget.warn_at:
        return state
    warning = over_budget(workflow, state) or f"budget: {state.spent:g} of {budget.limit:g} used"
    return state._replace(notice="\n".join(part for part in (state.notice, warning) if part))
