"""Mistral Vibe. Only JSON with exit code 0 is an answer: every other code is a broken hook, which denies only if the
hook is registered as `strict`. The hook's name is put before the reason there, so it does not begin with ours.

Version 2 calls the event `before_tool`, version 3 `pre_tool`. https://docs.mistral.ai/mistral-vibe/
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, TOOL, Adapter, Answer, Fields, event

FIELDS = Fields(call_id="tool_call_id")
EVENTS = {"before_tool": TOOL, "pre_tool": TOOL}


def veto(_: str, reason: str) -> Answer:
    """JSON and nothing else on standard output, exit code 0."""
    return shapes.answer({"decision": "deny", "reason": shapes.short(reason.removeprefix("devkit-guard: "))})


ADAPTER = Adapter(
    name="vibe",
    events=EVENTS,
    decode=lambda payload: event(payload, "vibe", EVENTS, FIELDS),
    allow=SILENCE,
    veto=veto,
    remind=shapes.on_stderr,
    ask=None,
    approve=None,
    failure=0,
)
