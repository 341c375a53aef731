"""Windsurf (Cascade). Exit code 2 blocks with the reason on standard error; nothing else does. The event is the tool.

https://docs.windsurf.com/windsurf/cascade/hooks
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, TOOL, Adapter, Event, Skip, arguments, inside, required, text
from guard.model.call import ToolCall
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

EVENTS = dict.fromkeys(("pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use"), TOOL)


def decode(payload: dict[str, Any]) -> Event | Skip:
    """A call; an MCP tool is named `server/tool`."""
    name = required(payload, "agent_action_name")
    if name not in EVENTS:
        return Skip(f"event {name}")
    given = inside(payload, "tool_info")
    call = ToolCall(
        "windsurf",
        name,
        given,
        text(given, "cwd"),
        text(payload, "trajectory_id"),
        call_id=text(payload, "execution_id"),
    )
    if name == "pre_mcp_tool_use":
        tool = f"{required(given, 'mcp_server_name')}/{required(given, 'mcp_tool_name')}"
        call = call._replace(tool=tool, input=arguments(given.get("mcp_tool_arguments") or {}, "mcp_tool_arguments"))
    return Event(TOOL, call)


ADAPTER = Adapter(
    name="windsurf",
    events=EVENTS,
    decode=decode,
    allow=SILENCE,
    veto=shapes.exit_2,
    remind=shapes.on_stderr,
    ask=None,
    approve=None,
    failure=1,
)
