"""Factory Droid, with Claude Code's payload and answer. https://docs.factory.ai/reference/hooks-reference"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, Adapter, Fields, event

FIELDS = Fields()
EVENTS = shapes.EVENTS

ADAPTER = Adapter(
    name="droid",
    events=EVENTS,
    decode=lambda payload: event(payload, "droid", EVENTS, FIELDS),
    allow=SILENCE,
    veto=shapes.claude_veto,
    remind=shapes.claude_remind,
    ask=shapes.claude_ask,
    approve=shapes.CLAUDE_APPROVE,
    failure=1,
)
