"""Gemini CLI. Its source reads JSON from standard output at any exit code, its manual blocks on 2: both are sent.

`AfterAgent` is its stop; a deny there sends the agent back to work. https://geminicli.com/docs/hooks/reference/
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, START, STOP, TOOL, Adapter, Answer, Fields, event

FIELDS = Fields()
EVENTS = {"BeforeTool": TOOL, "AfterAgent": STOP, "SessionStart": START}


def veto(kind: str, reason: str) -> Answer:
    """A deny at the top level."""
    reason = shapes.short(reason)
    content = {"decision": "deny", "reason": reason}
    return shapes.answer(content) if kind == STOP else shapes.answer(content, 2, reason)


def remind(kind: str, text: str) -> Answer:
    """Context at the start of a session; before a call a message that is shown."""
    if kind != START:
        return shapes.answer({"systemMessage": shapes.short(text)})
    context = {"hookEventName": "SessionStart", "additionalContext": shapes.short(text)}
    return shapes.answer({"hookSpecificOutput": context})


ADAPTER = Adapter(
    name="gemini",
    events=EVENTS,
    decode=lambda payload: event(payload, "gemini", EVENTS, FIELDS),
    allow=SILENCE,
    veto=veto,
    remind=remind,
    ask=lambda reason: shapes.answer({"decision": "ask", "reason": shapes.short(reason)}),
    approve=shapes.answer({"decision": "allow"}),
    failure=1,
)
