"""GitHub Copilot CLI. Allow is empty output: a version was seen that denies on any object. A veto has both spellings of
the reason and exit code 0: any other code is "hook errored", and the reason is lost.

Its own payloads name no event: one with a tool, and no result yet, is a call. `permissionRequest` sends `toolInput`.
https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import PERMISSION, SILENCE, TOOL, Adapter, Answer, Event, Fields, Skip, arguments, of_kind
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

FIELDS = Fields(event="", tool="toolName", input="toolArgs", session="sessionId", agent="agentId", call_id="toolCallId")
EVENTS = {"preToolUse": TOOL, "permissionRequest": PERMISSION}
_OVER = frozenset({"toolResult", "error"})


def decode(payload: dict[str, Any]) -> Event | Skip:
    """A call that is about to be made; every other event is skipped."""
    if _OVER & payload.keys() or not {"toolName", "toolArgs", "toolInput"} & payload.keys():
        return Skip("no call that is about to be made")
    kind, key = (PERMISSION, "toolInput") if "toolInput" in payload else (TOOL, "toolArgs")
    given = {**payload, key: arguments(payload.get(key), key)}
    return of_kind(given, "copilot", kind, FIELDS._replace(input=key))


def veto(kind: str, reason: str) -> Answer:
    """A deny at the top level."""
    reason = shapes.short(reason)
    if kind == PERMISSION:
        return shapes.answer({"behavior": "deny", "message": reason})
    return shapes.answer({"permissionDecision": "deny", "permissionDecisionReason": reason, "reason": reason})


ADAPTER = Adapter(
    name="copilot",
    events=EVENTS,
    decode=decode,
    allow=SILENCE,
    veto=veto,
    remind=lambda _kind, _text: SILENCE,
    ask=None,
    approve=None,
    failure=0,
)
