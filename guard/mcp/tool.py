"""What a module of tools provides: a table of `Tool`.

The functions are plain and synchronous; the server runs each call in a thread, so that a long gate never holds up
another caller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Caller(NamedTuple):
    """Who calls a tool, as far as the server knows.

    `folder` is the working directory: the client's root (MCP roots), else CLAUDE_PROJECT_DIR, else the server's own.
    `host` is the client's name. `host_session` and `agent` are those the hook saw for this very call, None where it saw
    none (`seen` is False then); `home` is the repository or folder of the caller. `session` is the agent session that
    owns what this call does: what the client passes as `_meta["devkit/session"]`, else the connection, provided that
    the client names itself; None where it does neither. Two connections are two sessions.
    """

    folder: str
    home: str
    host: str
    host_session: str | None
    agent: str | None
    seen: bool
    session: str | None = None


class Answer(NamedTuple):
    """`text` is for people and models, `data` the structured content (it fits the tool's output schema).

    Some clients show a model only the structured content, so `data` carries what the model must read, too.
    """

    text: str
    data: Mapping[str, Any]


Progress = Callable[[str], None]
"""Says what a long call is doing; may be called from the tool's thread at any time."""


class Tool(NamedTuple):
    """One tool. `input` and `output` are JSON Schemas of objects; a schema's text never changes between runs.

    `observed`: the caller matters, so the server claims what the hook saw of this call. Errors that are meant for the
    caller are raised as GuardError: a RefusedError's code stands before its message.
    """

    name: str
    title: str
    description: str
    input: Mapping[str, Any]
    output: Mapping[str, Any]
    read_only: bool
    observed: bool
    run: Callable[[Caller, Mapping[str, Any], Progress], Answer]
    destructive: bool = False
