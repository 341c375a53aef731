"""A hook for an event that does not exist or comes too late.

Event names are exact; after the tool has run nothing can be stopped.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.foreign.json_file import inner_span
from guard.lint.hooks import EVENTS, runs_guard
from guard.lint.tree import Node
from guard.model.diagnostic import Edit, Fix

CODE = "H604"
NAME = "wrong-event"
SEVERITY = "error"
BAD = Example(
    "claude",
    '{"hooks": {"preToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": '
    '"devkit-guard hook --agent claude", "onFailure": "block"}]}]}}',
)
GOOD = Example(
    "claude",
    '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": '
    '"devkit-guard hook --agent claude", "timeout": 10, "onFailure": "block"}]}]}}',
)


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    known = EVENTS.get(file.policy.format, ())
    for hook in file.policy.hooks:
        if known and hook.event not in known:
            near = next((name for name in known if name.lower() == hook.event.lower()), None)
            hint = f": did you mean '{near}'?" if near else ""
            fix = (
                Fix(
                    "write the event's name",
                    (Edit(*inner_span(file.policy.source, Node(hook.event, hook.event_start, hook.event_end)), near),),
                    False,
                )
                if near
                else None
            )
            yield Finding(hook.event_start, hook.event_end, f"there is no event '{hook.event}'{hint}", fix=fix)
        elif runs_guard(hook.command) and _is_after_a_tool(hook.event):
            yield Finding(
                hook.event_start, hook.event_end, f"{hook.event} comes after the tool has run: nothing can be stopped"
            )


def _is_after_a_tool(event: str) -> bool:
    """Whether it comes after a tool; the end of an agent's turn (`AfterAgent`) is where a stop can be blocked."""
    name = event.lower()
    return name.startswith(("post", "after")) and not name.startswith("afteragent")
