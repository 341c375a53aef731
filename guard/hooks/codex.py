"""OpenAI Codex CLI. The JSON deny with exit code 0 is the one answer that blocks in every version.

Allow is silence: a bare `allow`, `ask`, an empty reason or any other exit code make the hook a failed one, and the call
runs. https://developers.openai.com/codex/hooks; the schemas of inputs and outputs are inside of the binary.
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, Adapter, Fields, event

FIELDS = Fields()
EVENTS = shapes.EVENTS

ADAPTER = Adapter(
    name="codex",
    events=EVENTS,
    decode=lambda payload: event(payload, "codex", EVENTS, FIELDS),
    allow=SILENCE,
    veto=shapes.claude_json_only,
    remind=shapes.claude_remind,
    ask=None,
    approve=None,
    failure=0,
)
