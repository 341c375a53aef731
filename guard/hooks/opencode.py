"""OpenCode, through the plugin that `devkit-guard init` writes: it sends what `tool.execute.before` gets, and throws
unless the answer is exactly allow.

https://opencode.ai/docs/plugins
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import TOOL, Adapter, Answer, Event, Skip, inside, required, text
from guard.model.call import ToolCall
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

EVENTS = {"tool.execute.before": TOOL}
ALLOW = shapes.answer({"decision": "allow"})


def decode(payload: dict[str, Any]) -> Event | Skip:
    """The two arguments of the plugin's hook, and the folder that OpenCode runs in."""
    name = text(payload, "event")
    if name not in (None, *EVENTS):
        return Skip(f"event {name}")
    call, output = inside(payload, "input"), inside(payload, "output")
    return Event(
        TOOL,
        ToolCall(
            "opencode",
            required(call, "tool"),
            inside(output, "args"),
            text(payload, "cwd"),
            text(call, "sessionID"),
            call_id=text(call, "callID"),
        ),
    )


def remind(_: str, reason: str) -> Answer:
    """The plugin shows it in OpenCode's log."""
    return shapes.answer({"decision": "allow", "reason": shapes.short(reason)})


ADAPTER = Adapter(
    name="opencode",
    events=EVENTS,
    decode=decode,
    allow=ALLOW,
    veto=shapes.decision("deny"),
    remind=remind,
    ask=None,
    approve=None,
    failure=1,
)
