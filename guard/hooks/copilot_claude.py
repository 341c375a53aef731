"""GitHub Copilot CLI with an event in Claude Code's form: from `.claude/settings.json`, or named PreToolUse.

Claude Code's JSON answers it, and the exit code is 0, as everywhere in Copilot.
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import PERMISSION, SILENCE, TOOL, Adapter, Fields, event

FIELDS = Fields()
EVENTS = {"PreToolUse": TOOL, "PermissionRequest": PERMISSION}

ADAPTER = Adapter(
    name="copilot",
    events=EVENTS,
    decode=lambda payload: event(payload, "copilot", EVENTS, FIELDS),
    allow=SILENCE,
    veto=shapes.claude_json_only,
    remind=lambda _kind, _text: SILENCE,
    ask=None,
    approve=None,
    failure=0,
)
