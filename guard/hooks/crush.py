"""Crush. `block` is no value there, `deny` is; exit code 49 would end the whole turn.

https://github.com/charmbracelet/crush
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, TOOL, Adapter, Answer, Fields, event

FIELDS = Fields(event="event")
EVENTS = {"PreToolUse": TOOL}


def remind(_: str, text: str) -> Answer:
    """Context for the model; without a decision there is no opinion."""
    return shapes.answer({"context": shapes.short(text)})


ADAPTER = Adapter(
    name="crush",
    events=EVENTS,
    decode=lambda payload: event(payload, "crush", EVENTS, FIELDS),
    allow=SILENCE,
    veto=shapes.decision("deny"),
    remind=remind,
    ask=None,
    approve=None,
    failure=1,
)
