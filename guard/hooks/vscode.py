"""Agents of VS Code, with Claude Code's payload and answer; matchers are ignored there, so every tool comes.

https://code.visualstudio.com/docs/agents/reference/hooks-reference
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, Adapter, Fields, event

FIELDS = Fields()
EVENTS = shapes.EVENTS

ADAPTER = Adapter(
    name="vscode",
    events=EVENTS,
    decode=lambda payload: event(payload, "vscode", EVENTS, FIELDS),
    allow=SILENCE,
    veto=shapes.claude_veto,
    remind=shapes.claude_remind,
    ask=shapes.claude_ask,
    approve=shapes.CLAUDE_APPROVE,
    failure=1,
)
