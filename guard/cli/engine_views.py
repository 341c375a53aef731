"""What `devkit-engine` prints of sessions, for people and as JSON."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from guard.model.grant_json import grant_to_json
from guard.workflow.attempts import under_way
from guard.workflow.engine import RUNNING
from guard.workflow.grants import abort_command, idle_for
from guard.workflow.sessions import Session, step_json
from guard.workflow.text import allowed, header


def session_json(session: Session, environ: Mapping[str, str]) -> dict[str, Any]:
    """One entry of `session-status`."""
    step = session.workflow.steps[session.state.step] if session.status == RUNNING else None
    return {
        "id": session.id,
        "workflow": session.workflow.name,
        "status": session.status,
        "step": step_json(session) if step else None,
        "repo_root": session.repository,
        "host": session.host,
        "host_session": session.host_session,
        "agent": session.agent,
        "started_at": stamp(session.started_at),
        "updated_at": stamp(session.updated_at),
        "idle": session.status == RUNNING and bool(idle_for(session.updated_at, environ)),
        "notice": session.state.notice,
        "guard": grant_to_json(step.grant) if step else None,
    }


def stamp(seconds: float) -> str:
    """A time in UTC as text."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def status_text(sessions: Sequence[Session], environ: Mapping[str, str]) -> str:
    """What is open, since when, what it allows, and how to go on or end it."""
    if not sessions:
        return "No workflow is open."
    return "\n\n".join(_one(session, environ) for session in sessions)


def _one(session: Session, environ: Mapping[str, str]) -> str:
    lines = [f"{session.workflow.name}  {session.id}  {header(session)}"]
    lines.append(f"  in        {session.repository}")
    lines.append(f"  binds     {_bound(session)}")
    lines.append(f"  started   {stamp(session.started_at)}, last change {_ago(session.updated_at)} ago")
    if session.state.notice:
        lines.append("  says      " + session.state.notice.replace("\n", "\n            "))
    if session.status != RUNNING:
        return "\n".join(lines)
    lines.append(f"  allows    {allowed(session.workflow.steps[session.state.step])}")
    attempt = under_way(session)
    if attempt is not None:
        lines.append(f"  runs      `{attempt.what}` (process {attempt.pid}, for {_ago(attempt.began)})")
    if quiet := idle_for(session.updated_at, environ):
        lines.append(f"  idle      for {quiet / 3600:.1f} h; it is still enforced")
    lines.append(f'  advance   devkit-engine advance --session {session.id} --output "…"')
    lines.append(f"  abort     {abort_command(session.id)}")
    return "\n".join(lines)


def _bound(session: Session) -> str:
    if session.host_session is None:
        return f"every caller in that repository (started from {session.host})"
    agent = f", sub-agent {session.agent}" if session.agent else ""
    return f"{session.host} session {session.host_session}{agent}"


def _ago(moment: float) -> str:
    seconds = max(0, int(time.time() - moment))
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"


def store_lines(folder: str) -> list[str]:
    """Where a store is and who may read it."""
    path = os.path.join(folder, "engine.db")
    if not os.path.exists(path):
        return [f"ok    {folder}: no store yet"]
    found = []
    for name, mode in ((folder, 0o077), (path, 0o177)):
        actual = os.stat(name).st_mode & 0o777
        found.append(f"{'fault' if actual & mode else 'ok   '} {name}: mode {actual:o}")
    return found
