"""A picture of a workflow: its steps, loops, branches, gates and grants, for a terminal or as a Mermaid flowchart."""

from __future__ import annotations

from textwrap import wrap

from guard.report.grants import grant_text
from guard.workflow.definition import Command, Parallel, Prompt, Workflow, WorkflowStep
from guard.workflow.text import requirements

WIDTH = 76


def drawn(workflow: Workflow) -> str:
    """The workflow as a column of boxes."""
    lines = [f"{workflow.name}: {workflow.description}", ""]
    for number, step in enumerate(workflow.steps, start=1):
        title = f"{number}/{len(workflow.steps)} {step.id}  ({step.kind}{'' if step.hard else ', soft'})"
        notes = [line for note in _notes(step) for line in wrap(note, WIDTH, subsequent_indent="  ")]
        width = max(len(line) for line in (title, *notes))
        lines.append("┌" + "─" * (width + 2) + "┐")
        lines += [f"│ {line:<{width}} │" for line in (title, *notes)]
        lines.append("└" + "─" * (width + 2) + "┘")
        lines += [
            f"  ├─ {jump.when} → {jump.step}{_cap(workflow, number, jump.step, jump.max_visits)}" for jump in step.goto
        ]
        lines.append("  ↓" if number < len(workflow.steps) else "  ◼ done")
    return "\n".join(lines)


def mermaid(workflow: Workflow) -> str:
    """The workflow as a Mermaid flowchart."""
    lines = ["flowchart TD"]
    for position, step in enumerate(workflow.steps):
        label = "<br/>".join(_escaped(line) for line in (f"{position + 1}. {step.id}", *_notes(step)))
        shape = ('{{"', '"}}') if isinstance(step.does, Command) else ('["', '"]')
        lines.append(f"  s{position}{shape[0]}{label}{shape[1]}")
        if isinstance(step.does, Prompt) and step.does.loop is not None:
            lines.append(f'  s{position} -->|"again, at most {step.does.loop.max} rounds"| s{position}')
        for jump in step.goto:
            lines.append(f'  s{position} -->|"{_escaped(jump.when)}"| s{workflow.position(jump.step)}')
        after = f"s{position + 1}" if position + 1 < len(workflow.steps) else "done([done])"
        lines.append(f"  s{position} --> {after}")
    return "\n".join(lines)


def _notes(step: WorkflowStep) -> list[str]:
    notes = []
    if isinstance(step.does, Command):
        notes.append(f"$ {step.does.command.splitlines()[0]}  (expects {step.does.expect}, {step.does.timeout} s)")
    if isinstance(step.does, Parallel):
        notes.append("at the same time: " + ", ".join(member for member, _ in step.does.members))
    if isinstance(step.does, Prompt) and step.does.loop is not None:
        loop = step.does.loop
        until = [part for part in (loop.until and f"'{loop.until}'", loop.gate and f"gate: {loop.gate}") if part]
        notes.append(f"loop ≤ {loop.max}, until {' or '.join(until)}")
    notes += [f"must {line}" for line in requirements(step)]
    if not isinstance(step.does, Command):
        notes.append(f"may: {grant_text(step.grant)}")
    return notes


def _cap(workflow: Workflow, number: int, target: str, visits: int) -> str:
    return f" (back, at most {visits} visits)" if workflow.position(target) < number else ""


def _escaped(text: str) -> str:
    return (
        text.replace("&", "&amp;")
        .replace('"', "&quot;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("|", "&#124;")
    )
