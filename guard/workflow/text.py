"""What an agent and a person read about a session: the header of its step, the prompt, what is asked and allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guard.model.grant_json import grant_to_json
from guard.report.grants import grant_text
from guard.workflow.definition import Command, Parallel, Prompt, WorkflowStep
from guard.workflow.engine import RUNNING, State
from guard.workflow.reader import REFERENCE
from guard.workflow.sessions import Session, step_json


def interpolated(text: str, state: State) -> str:
    """`{{input}}` and `{{step-id}}` replaced once: what is put in is not looked at again."""
    values: Mapping[str, str] = {**state.outputs, "input": state.input}
    return REFERENCE.sub(lambda match: values.get(match[1], ""), text)


def header(session: Session) -> str:
    """`step 2/6: review-smart`, or how the session ended."""
    if session.status != RUNNING:
        return f"workflow {session.workflow.name}: {session.status}"
    step = session.workflow.steps[session.state.step]
    return f"step {session.state.step + 1}/{len(session.workflow.steps)}: {step.id}"


def page(session: Session) -> str:
    """All that an agent needs to go on with a session, as text."""
    state = session.state
    parts = [f"devkit workflow {session.workflow.name}, session {session.id}\n{header(session)}"]
    if state.notice:
        parts.append(state.notice)
    if session.status != RUNNING:
        parts.append(following(session))
        return "\n\n".join(parts)
    step = session.workflow.steps[state.step]
    if loop := loop_text(step, state):
        parts.append(loop)
    parts.append(prompt(step, state))
    if step.principles:
        parts.append("Principles\n" + "\n".join(f"- {key}: {text}" for key, text in step.principles))
    if asked := requirements(step):
        parts.append("The output must\n" + "\n".join(f"- {line}" for line in asked))
    parts.append(allowed(step))
    parts.append(following(session))
    return "\n\n".join(parts)


def prompt(step: WorkflowStep, state: State) -> str:
    """What is to be done in a step."""
    if isinstance(step.does, Prompt):
        return interpolated(step.does.text, state)
    if isinstance(step.does, Command):
        return f"The engine runs this command itself:\n  {step.does.command}"
    parts = [f"Dispatch these {len(step.does.members)} tasks to sub-agents at the same time and collect their answers."]
    parts += [f"--- {member}\n{interpolated(text, state)}" for member, text in step.does.members]
    return "\n\n".join(parts)


def loop_text(step: WorkflowStep, state: State) -> str:
    """The state of a step's loop, empty where it has none."""
    if not isinstance(step.does, Prompt) or step.does.loop is None:
        return ""
    loop = step.does.loop
    place = "the output" if step.require.last_line_regex is None else "the last line"
    until = [] if loop.until is None else [f"{place} has the word {loop.until}"]
    until += [] if loop.gate is None else [f"`{loop.gate}` exits 0"]
    return f"loop {state.iteration}/{loop.max}: repeats until {' or '.join(until)}"


def requirements(step: WorkflowStep) -> list[str]:
    """What the output of a step must be like, one line each."""
    require = step.require
    found = ["not be empty"] if require.non_empty else []
    found += [f"contain '{text}'" for text in require.contains]
    return found + (
        [] if require.last_line_regex is None else [f"end in a line that matches /{require.last_line_regex}/"]
    )


def allowed(step: WorkflowStep) -> str:
    """What may be done while a step is open."""
    if isinstance(step.does, Command):
        return "While it is open nothing but the devkit tools may be called."
    verb = "is vetoed" if step.hard else "leads to a reminder"
    return f"While this step is open: {grant_text(step.grant)}; anything else {verb}."


def data(session: Session, *, whole: bool = True) -> dict[str, Any]:
    """The structured form of `page`: every part once, as some clients show a model nothing else.

    Not `whole`: without what is to be done, for lists of sessions.
    """
    state, running = session.state, session.status == RUNNING
    step = session.workflow.steps[state.step] if running else None
    full = step if whole else None
    return {
        "session": session.id,
        "workflow": session.workflow.name,
        "status": session.status,
        "header": header(session),
        "notice": state.notice,
        "step": step_json(session) if step else None,
        "loop": _loop_data(step, state),
        "prompt": prompt(full, state) if full else None,
        "principles": [f"{key}: {text}" for key, text in full.principles] if full else [],
        "requirements": requirements(full) if full else [],
        "allowed": allowed(step) if step else "",
        "guard": grant_to_json(step.grant) if step else None,
        "next": following(session),
    }


def _loop_data(step: WorkflowStep | None, state: State) -> dict[str, int] | None:
    if step is None or not isinstance(step.does, Prompt) or step.does.loop is None:
        return None
    return {"iteration": state.iteration, "max": step.does.loop.max}


def following(session: Session) -> str:
    """What to do next with a session."""
    if session.status == "done":
        return "The workflow is complete and holds nothing back any more."
    if session.status == "starting":
        return "It has no open step yet."
    if session.status != RUNNING:
        return "The workflow is over without having been completed and holds nothing back any more."
    step = session.workflow.steps[session.state.step]
    if isinstance(step.does, Command):
        return (
            f'Call devkit_advance {{"session": "{session.id}"}} to run it again, or devkit_abort to end the workflow.'
        )
    what = "the collected answers" if isinstance(step.does, Parallel) else "the result of this step"
    return f'When this step is done, call devkit_advance {{"session": "{session.id}", "output": "…"}} with {what}.'
