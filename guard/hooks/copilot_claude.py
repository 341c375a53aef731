"""GitHub Copilot CLI with an event in Claude Code's form: from `.claude/settings.json`, or named PreToolUse.

Claude Code's JSON answers it, and the exit code is 0, as everywhere in Copilot.
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import PERMISSION, SILENCE, TOOL, Adapter, Event, Fields, Skip, event
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

FIELDS = Fields()
EVENTS = {"PreToolUse": TOOL, "PermissionRequest": PERMISSION}


def decode(payload: dict[str, Any]) -> Event | Skip:
    """An event; VS Code, which reads Copilot's files and sends a transcript, is looked up under its own tools."""
    return event(payload, "vscode" if "transcript_path" in payload else "copilot", EVENTS, FIELDS)


ADAPTER = Adapter(
    name="copilot",
    events=EVENTS,
    decode=decode,
    allow=SILENCE,
    veto=shapes.claude_json_only,
    remind=lambda _kind, _text: SILENCE,
    ask=None,
    approve=None,
    failure=0,
)
