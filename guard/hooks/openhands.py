"""OpenHands. A deny in JSON, and exit code 2; the event's name comes as `event_type`.

https://docs.openhands.dev/openhands/usage/customization/hooks
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, START, TOOL, Adapter, Answer, Event, Fields, Skip, event
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

FIELDS = Fields(event="event_type", cwd="working_dir")
EVENTS = {"PreToolUse": TOOL, "SessionStart": START}


def decode(payload: dict[str, Any]) -> Event | Skip:
    """An event, under either key that has carried its name."""
    named = "event_type" if payload.get("event_type") is not None else "hook_event_name"
    return event(payload, "openhands", EVENTS, FIELDS._replace(event=named))


def veto(_: str, reason: str) -> Answer:
    """A deny on both channels."""
    reason = shapes.short(reason)
    return shapes.answer({"decision": "deny", "reason": reason}, 2, reason)


def remind(_: str, text: str) -> Answer:
    """Context for the model."""
    return shapes.answer({"additionalContext": shapes.short(text)})


ADAPTER = Adapter(
    name="openhands",
    events=EVENTS,
    decode=decode,
    allow=SILENCE,
    veto=veto,
    remind=remind,
    ask=None,
    approve=None,
    failure=1,
)
