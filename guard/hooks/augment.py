"""Augment (auggie): Claude Code's answer; the only workspace root is where the caller works.

https://docs.augmentcode.com/cli/hooks
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, START, TOOL, Adapter, Event, Fields, Skip, event, only_root, roots
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

FIELDS = Fields(session="conversation_id")
EVENTS = {"PreToolUse": TOOL, "SessionStart": START}


def decode(payload: dict[str, Any]) -> Event | Skip:
    """An event; its folder is `cwd` where there is one."""
    found = event(payload, "augment", EVENTS, FIELDS)
    if isinstance(found, Skip):
        return found
    where = found.call.cwd if found.call.cwd is not None else only_root(payload, "workspace_roots")
    return found._replace(call=found.call._replace(cwd=where, roots=roots(payload, "workspace_roots", where)))


ADAPTER = Adapter(
    name="augment",
    events=EVENTS,
    decode=decode,
    allow=SILENCE,
    veto=shapes.claude_veto,
    remind=shapes.claude_remind,
    ask=None,
    approve=None,
    failure=1,
)
