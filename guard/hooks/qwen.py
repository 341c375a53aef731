"""Qwen Code: Claude Code's names of events and answers. https://qwenlm.github.io/qwen-code-docs/"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, Adapter, Fields, event

FIELDS = Fields()
EVENTS = shapes.EVENTS

ADAPTER = Adapter(
    name="qwen",
    events=EVENTS,
    decode=lambda payload: event(payload, "qwen", EVENTS, FIELDS),
    allow=SILENCE,
    veto=shapes.claude_veto,
    remind=shapes.claude_remind,
    ask=None,
    approve=shapes.CLAUDE_APPROVE,
    failure=1,
)
