"""The hook's question: which open steps bind this caller, and what do they grant?

On the hook path: standard library only, no YAML, one short read-only transaction for each store.
"""

from __future__ import annotations

import json
import os
import time

from guard.model.call import ToolCall
from guard.model.errors import StoreError
from guard.model.grant import Step
from guard.model.grant_json import grant_from_json
from guard.model.record import TYPE_CHECKING
from guard.store.location import FILE, folders, repair_command
from guard.store.read import rows
from guard.workflow.reach import reaches
from guard.workflow.repository import belongs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

IDLE_AFTER = 4 * 3600.0
QUERY = (
    "SELECT id, workflow, open, repository, host_session, agent, updated_at FROM sessions "
    "WHERE status = 'running' ORDER BY started_at, id"
)


def grants_for(call: ToolCall, environ: Mapping[str, str] = os.environ) -> tuple[Step, ...]:
    """The open steps that bind the caller of `call`, in the order their sessions were started; empty: no opinion.

    Raises StoreError where state exists and cannot be read.
    """
    found = []
    for folder in folders(environ):
        for row in rows(folder, QUERY):
            _, _, _, repository, host_session, agent, _ = row
            if not binds(call, repository, host_session, agent, environ):
                continue
            step = _step(folder, row, environ, delegate=call.agent is not None and call.agent != agent)
            if not step.delegate or step.grant.subagents != "free":
                found.append(step)
    return tuple(found)


def _step(folder: str, row: tuple[Any, ...], environ: Mapping[str, str], *, delegate: bool) -> Step:
    session, workflow, opened, repository, _, _, updated_at = row
    try:
        data = json.loads(opened)
        step = data["step"]
        return Step(
            session,
            workflow,
            step["id"],
            step["index"],
            step["total"],
            step["enforce"] == "hard",
            grant_from_json(data["guard"]),
            data["engine_runs"],
            repository,
            delegate,
            " ".join(part for part in (data["note"], _idle(session, updated_at, environ)) if part),
        )
    except (ValueError, KeyError, TypeError) as error:
        what = f"session {session} cannot be read ({type(error).__name__}: {error})"
        raise StoreError(os.path.join(folder, FILE), what, repair_command(folder)) from error


def binds(
    call: ToolCall, repository: str, host_session: str | None, agent: str | None, environ: Mapping[str, str]
) -> bool:
    """Whether a session that is bound to (`repository`, `host_session`, `agent`) binds this caller.

    A session of a known host session binds that session's main agent and the sub-agents it sends, wherever they work:
    `cd` is no way out of a step. One that a sub-agent owns binds that sub-agent alone. A session without a host session
    (started at a shell, or from a host whose hook did not fire) binds every caller in the repository, and every call
    that reaches into it; so does any session a caller who does not say which host session it is.
    """
    if host_session is None or call.session is None:
        return belongs(call.cwd, repository) or reaches(call, repository, environ)
    return call.session == host_session and agent in (None, call.agent)


def idle_after(environ: Mapping[str, str]) -> float:
    """Seconds after which an untouched session is reported as idle: DEVKIT_IDLE_AFTER (`90`, `30m`, `4h`, `2d`)."""
    text = environ.get("DEVKIT_IDLE_AFTER", "").strip()
    unit = {"s": 1, "m": 60, "h": 3600, "d": 86400}.get(text[-1:], 0)
    number = text[:-1] if unit else text
    return float(number) * (unit or 1) if number.isdecimal() else IDLE_AFTER


def idle_for(updated_at: float, environ: Mapping[str, str]) -> float:
    """Seconds since a session was touched if that makes it idle, else 0. A clock that was set back makes none idle."""
    quiet = time.time() - updated_at
    return quiet if quiet >= idle_after(environ) else 0


def _idle(session: str, updated_at: float, environ: Mapping[str, str]) -> str:
    quiet = idle_for(updated_at, environ)
    if not quiet:
        return ""
    return f"The session is idle for {quiet / 3600:.1f} h: `{abort_command(session)}` ends it."


def abort_command(session: str) -> str:
    """What a person types to end a session."""
    return f'devkit-engine abort --session {session} --reason "…"'
