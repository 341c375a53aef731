"""Devin CLI. `block` in JSON with exit code 0; its payload has no folder of the caller.

https://docs.devin.ai/cli/extensibility/hooks
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import PERMISSION, TOOL, Adapter, Answer, Fields, event

FIELDS = Fields()
EVENTS = {"PreToolUse": TOOL, "PermissionRequest": PERMISSION}
ALLOW = shapes.answer({})


def remind(_: str, text: str) -> Answer:
    """No context is documented: the text is shown."""
    return Answer(ALLOW.stdout, shapes.line(shapes.short(text)), 0)


ADAPTER = Adapter(
    name="devin",
    events=EVENTS,
    decode=lambda payload: event(payload, "devin", EVENTS, FIELDS),
    allow=ALLOW,
    veto=shapes.decision("block"),
    remind=remind,
    ask=None,
    approve=None,
    failure=1,
)
