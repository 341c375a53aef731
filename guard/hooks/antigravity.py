"""Antigravity CLI. A decision is required: a missing or malformed one is a deny, so allow is written out (the runtime
still asks its user). `force_ask` asks even where the user once chose always.

Payloads name no event; one with `toolCall` is a call. https://antigravity.google/docs/hooks
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import TOOL, Adapter, Answer, Event, Skip, inside, only_root, required, roots, text
from guard.model.call import ToolCall
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

EVENTS = {"PreToolUse": TOOL}
ALLOW = shapes.answer({"decision": "allow"})
_OVER = frozenset({"toolResult", "toolOutput", "error", "result"})


def decode(payload: dict[str, Any]) -> Event | Skip:
    """A call that is about to be made; every other event is skipped."""
    if "toolCall" not in payload or _OVER & payload.keys():
        return Skip("no call that is about to be made")
    call = inside(payload, "toolCall")
    root, session = only_root(payload, "workspacePaths"), text(payload, "conversationId")
    folders = roots(payload, "workspacePaths", root)
    found = ToolCall("antigravity", required(call, "name"), inside(call, "args"), root, session, roots=folders)
    return Event(TOOL, found)


def remind(_: str, reason: str) -> Answer:
    """No context is documented: the text is shown."""
    return Answer(ALLOW.stdout, shapes.line(shapes.short(reason)), 0)


ADAPTER = Adapter(
    name="antigravity",
    events=EVENTS,
    decode=decode,
    allow=ALLOW,
    veto=shapes.decision("deny"),
    remind=remind,
    ask=lambda reason: shapes.answer({"decision": "force_ask", "reason": shapes.short(reason)}),
    approve=None,
    failure=1,
)
