"""Who acts on the board, and whose a claim is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Caller(NamedTuple):
    """Who acts: `kind` is agent, human or command; `session` owns leases; `name` is for people.

    `host` and `agent` are the host's own session and sub-agent, where the hook saw them ask.
    """

    kind: str
    session: str
    name: str
    host: str | None = None
    agent: str | None = None


def record_of(caller: Caller) -> dict[str, str]:
    """The `by` of the records that a caller appends."""
    label = "client" if caller.kind == "agent" else "name"
    seen = {"host": caller.host, "agent": caller.agent}
    known = {key: value for key, value in seen.items() if value is not None}
    return {"kind": caller.kind, "session": caller.session, label: caller.name, **known}


def owns(by: Mapping[str, object], caller: Caller) -> bool:
    """Whether a claim is the caller's: of its session, or of its host's session, which outlives a server. Of two
    sub-agents of one session only the one that asked for the card holds it."""
    agents = (by.get("agent"), caller.agent)
    if None not in agents and agents[0] != agents[1]:
        return False
    return by.get("session") == caller.session or (caller.host is not None and by.get("host") == caller.host)


def named(by: Mapping[str, object]) -> str:
    """`claude-code (1f0c9a2b)` for an agent's session, the name for others."""
    if by.get("kind") == "agent":
        return f"{by.get('client', 'agent')} ({str(by.get('session', ''))[:8]})"
    return str(by.get("name", by.get("kind")))
