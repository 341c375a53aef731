"""Goose. A `block` is read at any exit code. https://block.github.io/goose/docs/guides/"""

from __future__ import annotations

from guard.hooks import shapes
from guard.hooks.base import SILENCE, TOOL, Adapter, Fields, event

FIELDS = Fields(event="event", cwd="working_dir")
EVENTS = {"PreToolUse": TOOL}

ADAPTER = Adapter(
    name="goose",
    events=EVENTS,
    decode=lambda payload: event(payload, "goose", EVENTS, FIELDS),
    allow=SILENCE,
    veto=shapes.decision("block"),
    remind=shapes.on_stderr,
    ask=None,
    approve=None,
    failure=1,
)
