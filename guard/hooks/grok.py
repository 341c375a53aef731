"""Grok Build. A deny in JSON, and exit code 2. An MCP tool is named `server__tool`, or comes as `MCPTool`.

It also runs the hooks in Claude Code's and Cursor's files, with this payload. An input over 128 KB comes as cut text.

https://docs.x.ai/build/features/hooks
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, TOOL, Adapter, Answer, Event, Fields, Skip, arguments, event, required
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

FIELDS = Fields(
    event="hookEventName",
    tool="toolName",
    input="toolInput",
    session="sessionId",
    mode="permissionMode",
    call_id="toolUseId",
)
EVENTS = {"pre_tool_use": TOOL, "PreToolUse": TOOL}


def decode(payload: dict[str, Any]) -> Event | Skip:
    """A call; the general MCP tool gets the name of the tool that it calls."""
    found = event(payload, "grok", EVENTS, FIELDS)
    if isinstance(found, Skip) or found.call.tool != "MCPTool":
        return found
    given = dict(found.call.input)
    tool = f"{required(given, 'server')}__{required(given, 'tool')}"
    call = found.call._replace(tool=tool, input=arguments(given.get("arguments") or {}, "arguments"))
    return found._replace(call=call)


def veto(_: str, reason: str) -> Answer:
    """A deny on both channels."""
    reason = shapes.short(reason)
    return shapes.answer({"decision": "deny", "reason": reason}, 2, reason)


ADAPTER = Adapter(
    name="grok",
    events=EVENTS,
    decode=decode,
    allow=SILENCE,
    veto=veto,
    remind=shapes.on_stderr,
    ask=None,
    approve=None,
    failure=1,
)
