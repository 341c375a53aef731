"""Kimi Code. With exit code 2 the reason is read from standard error, with 0 from Claude Code's JSON; both are sent.

https://moonshotai.github.io/kimi-code/en/customization/hooks
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, STOP, TOOL, Adapter, Answer, Fields, event

FIELDS = Fields(call_id="tool_call_id")
EVENTS = {"PreToolUse": TOOL, "Stop": STOP}


def veto(kind: str, reason: str) -> Answer:
    """Both channels for a call; a stop has only the second."""
    return shapes.exit_2(kind, reason) if kind == STOP else shapes.claude_veto(kind, reason)


ADAPTER = Adapter(
    name="kimi",
    events=EVENTS,
    decode=lambda payload: event(payload, "kimi", EVENTS, FIELDS),
    allow=SILENCE,
    veto=veto,
    remind=shapes.on_stderr,
    ask=None,
    approve=None,
    failure=1,
)
