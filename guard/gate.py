"""The one use case: read → classify → grant → decide. The file to read first."""

from __future__ import annotations

import os

from guard import board, workflow
from guard.model.call import ToolCall
from guard.model.grant import Grant, Step
from guard.model.record import NamedTuple

READING_MODES = frozenset({"plan", "read-only", "spec"})
"""Permission modes of runtimes in which nothing may be changed: shell calls are held to that."""


class Opinion(NamedTuple):
    """`veto` is why the call may not run; `reminder` what to say where it may. Both None: no opinion."""

    veto: str | None = None
    reminder: str | None = None


def opinion(call: ToolCall, *, always: bool) -> Opinion:
    """What the guard thinks of a call. `always`: shell calls must only read, whether a step is open or not.

    Raises GuardError where the state of workflows exists and cannot be read.
    """
    workflow.observe_call(call)
    steps = [(step, _at_step(step)) for step in workflow.grants_for(call)]
    steps += [(step, _at_stage(step)) for step in board.steps_for(call)]
    if workflow.own_tool(call.tool, call.runtime):
        return Opinion()
    strict = always or call.mode in READING_MODES
    if not steps and not strict:
        return Opinion()
    from guard import judge  # what follows costs more than finding out that nothing binds this caller

    case = judge.Case(call)
    refused = [(step, lead, why) for step, lead in steps if (why := case.refused(step)) is not None]
    hard = [f"{lead} {why}" for step, lead, why in refused if step.hard]
    if hard:
        others = [lead for step, lead in steps if lead not in {lead for _, lead, _ in refused}]
        return Opinion(veto=" ".join([*hard, *(f"Also open: {lead}" for lead in others)]))
    why = case.refused_in_shell(Grant(), None) if strict else None
    if why is not None:
        return Opinion(veto=f"devkit-guard: {why}")
    return Opinion(reminder=" ".join(f"{lead} {why}" for _, lead, why in refused) or None)


def _at_step(step: Step) -> str:
    return (
        f"devkit workflow {step.workflow} is at step {step.number}/{step.total} — call devkit_advance before other "
        f"tool calls. Step `{step.step}`:"
    )


def _at_stage(step: Step) -> str:
    return (
        f"devkit card {step.session} is at stage {step.step} ({step.number}/{step.total}) — finish or release it with "
        "the devflow tools."
    )


def bound_anywhere() -> bool:
    """Whether a step may bind a caller who cannot be told: in the directory that the hook runs in."""
    try:
        folder = os.getcwd()
    except OSError:
        return True
    caller = ToolCall("", "", {}, folder)
    return bool(workflow.grants_for(caller) or board.steps_for(caller))
