"""Claude Code. Allow is silence; a veto is the JSON deny and exit code 2, each of which blocks on its own.

https://code.claude.com/docs/en/hooks; `hookEventName` is required (without it the decision is ignored), and strings are
cut at 10,000 characters.
"""

from __future__ import annotations

import json

from guard.hooks.base import Answer, MalformedError, Skip, text
from guard.model.call import ToolCall
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

name = "claude"
_MAX_REASON = 9_000


def decode(payload: dict[str, Any]) -> ToolCall | Skip:
    """The call in a PreToolUse payload; every other event is skipped."""
    event = text(payload, "hook_event_name")
    if event != "PreToolUse":
        return Skip(f"event {event}")
    tool = text(payload, "tool_name")
    arguments = payload.get("tool_input")
    if not isinstance(arguments, dict):
        raise MalformedError("'tool_input' in the payload: expected an object")
    return ToolCall(
        name,
        tool or "",
        arguments,
        text(payload, "cwd", required=False),
        text(payload, "session_id", required=False),
        text(payload, "agent_id", required=False),
        text(payload, "permission_mode", required=False),
    )


def allow() -> Answer:
    """Silence: an explicit `allow` would skip the user's own permission prompt."""
    return Answer(b"", b"", 0)


def remind(text: str) -> Answer:
    """Context for the model beside the call; no decision."""
    output = {"hookEventName": "PreToolUse", "additionalContext": text[:_MAX_REASON]}
    return Answer(json.dumps({"hookSpecificOutput": output}).encode("ascii"), b"", 0)


def veto(reason: str) -> Answer:
    """Deny on standard output, and for versions that ignore it the reason on standard error with exit code 2."""
    short = reason if len(reason) <= _MAX_REASON else reason[:_MAX_REASON] + "..."
    output = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": short,
    }
    stdout = json.dumps({"hookSpecificOutput": output}).encode("ascii")
    return Answer(stdout, short.encode("utf-8", "backslashreplace") + b"\n", 2)
