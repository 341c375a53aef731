"""Claude Code. Allow is silence; a veto is the JSON deny and exit code 2, each of which blocks on its own.

https://code.claude.com/docs/en/hooks. Other runtimes run the hooks of `.claude/settings.json` too and take the same
answer; their calls are looked up under their own names of tools. Copilot is recognised before (`recognise`), because
there an exit code other than 0 loses the reason.
"""

from __future__ import annotations

from guard.hooks import recognise, shapes
from guard.hooks.base import SILENCE, Adapter, Event, Fields, Skip, event
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

FIELDS = Fields()


def decode(payload: dict[str, Any]) -> Event | Skip:
    """An event of Claude Code, or of a runtime that runs its hooks."""
    return event(payload, recognise.reader_of_claude_settings(payload) or "claude", shapes.EVENTS, FIELDS)


ADAPTER = Adapter(
    name="claude",
    events=shapes.EVENTS,
    decode=decode,
    allow=SILENCE,
    veto=shapes.claude_veto,
    remind=shapes.claude_remind,
    ask=shapes.claude_ask,
    approve=shapes.CLAUDE_APPROVE,
    failure=1,
)
