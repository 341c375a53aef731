"""Questions about open steps that are not about a call: may the agent stop, what is open here, is anybody bound."""

from __future__ import annotations

import os

from guard import board, workflow
from guard.model.call import ToolCall
from guard.model.grant import Step


def unfinished(caller: ToolCall) -> str | None:
    """Why the caller should go on: the hard steps that are its own and still open. None where it may stop.

    A sub-agent may stop whatever its parent has open. Raises StoreError.
    """
    own = [step for step in workflow.grants_for(caller) if step.hard and not step.delegate]
    held = [step for step in board.steps_for(caller) if step.hard and not step.delegate]
    if not own and not held:
        return None
    parts = [
        f"devkit workflow {step.workflow} is at step {step.number}/{step.total}, so {_steps(step)} left: "
        f"do step `{step.step}`, then call devkit_advance; or end it with devkit_abort (session {step.session})."
        for step in own
    ]
    parts += [
        f"devkit card {step.session} is still held at stage {step.step} ({step.number}/{step.total}): finish it or "
        "release it with the devflow tools."
        for step in held
    ]
    return " ".join(parts)


def _steps(step: Step) -> str:
    left = step.total - step.number + 1
    return "1 step is" if left == 1 else f"{left} steps are"


def open_here(caller: ToolCall) -> str | None:
    """What is open in the caller's repository, whoever opened it; None where nothing is. Raises StoreError."""
    anyone = caller._replace(session=None, agent=None)
    found = {step.session: step for step in (*workflow.grants_for(anyone), *workflow.grants_for(caller))}
    parts = [
        f"devkit workflow {step.workflow} is open at step {step.number}/{step.total} (`{step.step}`, session "
        f"{step.session}): devkit_status shows it, devkit_advance goes on, devkit_abort ends it."
        + (f" {step.note}" if step.note else "")
        for step in found.values()
    ]
    cards = {step.session: step for step in board.steps_for(caller)}
    parts += [f"devkit card {step.session} is held at stage {step.step}." for step in cards.values()]
    return " ".join(parts) or None


def bound_anywhere() -> bool:
    """Whether a step may bind a caller who cannot be told: in the directory that the hook runs in."""
    try:
        folder = os.getcwd()
    except OSError:
        return True
    caller = ToolCall("", "", {}, folder)
    return bool(workflow.grants_for(caller) or board.steps_for(caller))
