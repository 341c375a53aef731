"""Kiro CLI reads no JSON: exit code 2 blocks and standard error is the reason.

Version 3 writes the same events with a capital letter, and has another name for the start.

https://kiro.dev/docs/cli/hooks/ and https://kiro.dev/docs/cli/v3/hooks/
"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, START, TOOL, Adapter, Answer, Fields, event

FIELDS = Fields()
EVENTS = {"preToolUse": TOOL, "agentSpawn": START, "PreToolUse": TOOL, "SessionStart": START}


def remind(kind: str, text: str) -> Answer:
    """What a hook of `agentSpawn` prints becomes context; before a call it is only shown."""
    return Answer(text.encode("utf-8", "backslashreplace"), b"", 0) if kind == START else shapes.on_stderr(kind, text)


ADAPTER = Adapter(
    name="kiro",
    events=EVENTS,
    decode=lambda payload: event(payload, "kiro", EVENTS, FIELDS),
    allow=SILENCE,
    veto=shapes.exit_2,
    remind=remind,
    ask=None,
    approve=None,
    failure=1,
)
