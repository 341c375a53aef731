"""Cline. JSON on standard output is the answer, whatever the exit code. An MCP tool is named `server/tool`.

Its command line program, version 3, names the event `tool_call` and sends the true arguments beside the texts.

https://docs.cline.bot/features/hooks
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import TOOL, Adapter, Answer, Event, Skip, arguments, inside, only_root, required, roots, text
from guard.model.call import ToolCall
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

EVENTS = {"PreToolUse": TOOL, "tool_call": TOOL}
ALLOW = shapes.answer({"cancel": False})


def decode(payload: dict[str, Any]) -> Event | Skip:
    """A call; its parameters are texts, also those that hold JSON."""
    name = required(payload, "hookName")
    if name not in EVENTS:
        return Skip(f"event {name}")
    if "tool_call" in payload:
        given = inside(payload, "tool_call")
        tool, found = required(given, "name"), inside(given, "input")
    else:
        given = inside(payload, "preToolUse")
        tool, found = required(given, "toolName"), arguments(given.get("parameters"), "parameters")
    if tool == "use_mcp_tool":
        tool = f"{required(found, 'server_name')}/{required(found, 'tool_name')}"
        found = arguments(found.get("arguments") or {}, "arguments")
    root, task = only_root(payload, "workspaceRoots"), text(payload, "taskId")
    folders = roots(payload, "workspaceRoots", root)
    return Event(TOOL, ToolCall("cline", tool, found, root, task, call_id=text(given, "id"), roots=folders))


def veto(_: str, reason: str) -> Answer:
    """Cancels the call."""
    return shapes.answer({"cancel": True, "errorMessage": shapes.short(reason)})


def remind(_: str, reason: str) -> Answer:
    """Context for the next request to the model."""
    return shapes.answer({"cancel": False, "contextModification": shapes.short(reason)})


ADAPTER = Adapter(
    name="cline",
    events=EVENTS,
    decode=decode,
    allow=ALLOW,
    veto=veto,
    remind=remind,
    ask=None,
    approve=None,
    failure=0,
)
