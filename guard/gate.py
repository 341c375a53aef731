"""The one use case: read → classify → grant → decide. The file to read first."""

from __future__ import annotations

from guard import board, workflow
from guard.model.call import ToolCall
from guard.model.grant import Grant, Step
from guard.model.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from guard.judge import Case

READING_MODES = frozenset({"plan", "read-only", "spec"})
"""Permission modes of runtimes in which nothing may be changed: shell calls are held to that."""


class Opinion(NamedTuple):
    """`veto` is why the call may not run; `reminder` what to say where it may. Both None: no objection.

    `steps` are the open steps that bind the caller, `case` what was found out about the call (None: nothing was asked).
    `final`: the veto is a step's, so it is never handed to the user. `reads`: it is a shell call that only reads.
    """

    veto: str | None = None
    reminder: str | None = None
    steps: tuple[Step, ...] = ()
    case: Case | None = None
    final: bool = False
    reads: bool = False


def opinion(
    call: ToolCall, *, always: bool, plan: bool = True, classify: bool = False, about_to_run: bool = True
) -> Opinion:
    """What the guard thinks of a call. `always`: shell calls must only read, whether a step is open or not; `plan`: so
    they must while the runtime says that it is planning; `classify`: find out even if nothing asks for it. Not
    `about_to_run`: somebody is only asked for permission, so the call is not noted for the server.

    Raises GuardError where the state of workflows exists and cannot be read.
    """
    if about_to_run:
        workflow.observe_call(call)
    steps = [(step, _at_step(step)) for step in workflow.grants_for(call)]
    steps += [(step, _at_stage(step)) for step in board.steps_for(call)]
    bound = tuple(step for step, _ in steps)
    strict = always or (plan and call.mode in READING_MODES)
    boards = board.concerns(call)
    if workflow.own_tool(call.tool, call.runtime) or not (steps or strict or classify or boards):
        return Opinion(steps=bound)
    from guard import judge  # what follows costs more than finding out that nothing binds this caller

    case = judge.Case(call)
    refused = [(step, lead, why) for step, lead in steps if (why := case.refused(step)) is not None]
    hard = [f"{lead} {why}" for step, lead, why in refused if step.hard]
    if hard:
        others = [lead for step, lead in steps if lead not in {lead for _, lead, _ in refused}]
        text = " ".join([*hard, *(f"Also open: {lead}" for lead in others)])
        return Opinion(text, None, bound, case, final=True)
    why = case.refused_board() if boards else None
    if why is not None:
        return Opinion(f"devkit board: {why}", None, bound, case, final=True)
    why = case.refused_in_shell(Grant(), None) if strict or classify else None
    if why is not None and strict:
        return Opinion(f"devkit-guard: {why}", None, bound, case)
    reminder = " ".join(f"{lead} {why}" for _, lead, why in refused) or None
    reads = (strict or classify) and case.use.kind == "shell" and why is None and not refused
    return Opinion(None, reminder, bound, case, reads=reads)


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
