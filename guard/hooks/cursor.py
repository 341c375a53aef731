"""Cursor. Every answer is a JSON object: empty output is invalid under `failClosed`. Both spellings of the messages
have shipped, so both are sent. `ask` is not enforced before a tool, so there is none.

One call can come twice: before the tool, and before the shell, the MCP server or the file, whichever of them a version
leaves out. A file before it is read is judged by its path. https://cursor.com/docs/hooks
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import (
    PERMISSION,
    START,
    STOP,
    TOOL,
    Adapter,
    Answer,
    Event,
    Fields,
    Skip,
    arguments,
    event,
    only_root,
    required,
    roots,
)
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

FIELDS = Fields(session="conversation_id", again="")
EVENTS = {
    "preToolUse": TOOL,
    "beforeShellExecution": TOOL,
    "beforeMCPExecution": TOOL,
    "beforeReadFile": TOOL,
    "stop": STOP,
    "sessionStart": START,
    # Claude Code's names, in payloads for hooks of `.claude/settings.json`
    "PreToolUse": TOOL,
    "PermissionRequest": PERMISSION,
    "Stop": STOP,
    "SessionStart": START,
}
ALLOW = shapes.answer({})


def decode(payload: dict[str, Any]) -> Event | Skip:
    """An event; calls that come under a name of their own get the tool's name."""
    name = payload.get("hook_event_name")
    if name == "beforeShellExecution":
        payload = {**payload, "tool_name": "Shell", "tool_input": {"command": required(payload, "command")}}
    elif name == "beforeReadFile":
        payload = {**payload, "tool_name": "Read", "tool_input": {"file_path": required(payload, "file_path")}}
    elif name == "beforeMCPExecution":
        tool = f"MCP:{required(payload, 'tool_name')}"
        payload = {**payload, "tool_name": tool, "tool_input": arguments(payload.get("tool_input"), "tool_input")}
    found = event(payload, "cursor", EVENTS, FIELDS)
    if isinstance(found, Skip):
        return found
    if found.kind == STOP:
        count = payload.get("loop_count")
        again = payload.get("stop_hook_active") is True or (isinstance(count, int) and count > 0)
        return found._replace(again=again or payload.get("status", "completed") != "completed")
    where = found.call.cwd or only_root(payload, "workspace_roots")
    return found._replace(call=found.call._replace(cwd=where, roots=roots(payload, "workspace_roots", where)))


def veto(kind: str, reason: str) -> Answer:
    """A deny with its reason for the user and for the model; a stop is answered with a message that goes on."""
    reason = shapes.short(reason)
    if kind == STOP:
        return shapes.answer({"followup_message": reason})
    messages = dict.fromkeys(("user_message", "agent_message", "userMessage", "agentMessage"), reason)
    return shapes.answer({"permission": "deny", **messages}, 0, reason)


def remind(kind: str, text: str) -> Answer:
    """Context at the start of a session; before a call the text is only shown."""
    if kind == START:
        return shapes.answer({"additional_context": shapes.short(text)})
    return Answer(ALLOW.stdout, shapes.line(shapes.short(text)), 0)


ADAPTER = Adapter(
    name="cursor",
    events=EVENTS,
    decode=decode,
    allow=ALLOW,
    veto=veto,
    remind=remind,
    ask=None,
    approve=shapes.answer({"permission": "allow"}),
    failure=1,
)
