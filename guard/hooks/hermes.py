"""Hermes. A block is JSON on standard output at any exit code; silence and anything else let the call run.

https://hermes-agent.nousresearch.com/docs/
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import TOOL, Adapter, Answer, Fields, event

FIELDS = Fields()
EVENTS = {"pre_tool_call": TOOL}
ALLOW = shapes.answer({})


def veto(_: str, reason: str) -> Answer:
    """The runtime's own form; it also reads `decision: block`."""
    return shapes.answer({"action": "block", "message": shapes.short(reason)})


def remind(_: str, text: str) -> Answer:
    """Nothing but a decision is read before a call: the text is in the runtime's log."""
    return Answer(ALLOW.stdout, shapes.line(shapes.short(text)), 0)


ADAPTER = Adapter(
    name="hermes",
    events=EVENTS,
    decode=lambda payload: event(payload, "hermes", EVENTS, FIELDS),
    allow=ALLOW,
    veto=veto,
    remind=remind,
    ask=None,
    approve=None,
    failure=1,
)
