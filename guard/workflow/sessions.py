"""Sessions on the store: every change is one transaction, and none happens on a revision that is not the newest."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from guard.model.errors import ConflictError, RefusedError
from guard.model.grant_json import grant_to_json
from guard.store.connect import opened, sync_folder, transaction
from guard.store.location import OPEN
from guard.store.read import rows
from guard.workflow.definition import Command, Workflow, from_json, to_json
from guard.workflow.engine import RUNNING, State, over_budget

STARTING = "starting"
COLUMNS = (
    "id, status, revision, definition, state, repository, host, host_session, agent, attempt, started_at, updated_at"
)


class Attempt(NamedTuple):
    """The engine process that is running a command or gate of a session; over at `until` whatever became of it."""

    pid: int
    born: str
    began: float
    until: float
    what: str


class Session(NamedTuple):
    """One session as it is in the store in `folder`. `repository` is where commands run and what it is bound to."""

    folder: str
    id: str
    status: str
    revision: int
    workflow: Workflow
    state: State
    repository: str
    host: str
    host_session: str | None
    agent: str | None
    attempt: Attempt | None
    started_at: float
    updated_at: float


def insert(session: Session) -> None:
    """Adds a session that is `starting` or `running`."""
    with opened(session.folder) as db, transaction(db):
        _mark(session)
        db.execute(
            "INSERT INTO sessions (id, workflow, status, revision, definition, state, open, repository, host, "
            "host_session, agent, attempt, started_at, updated_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                session.id,
                session.workflow.name,
                session.status,
                session.revision,
                json.dumps(to_json(session.workflow)),
                json.dumps(session.state),
                _open_json(session),
                session.repository,
                session.host,
                session.host_session,
                session.agent,
                json.dumps(session.attempt) if session.attempt else None,
                session.started_at,
                session.updated_at,
            ),
        )


def save(session: Session) -> Session:
    """Writes a change of `session`, whose `revision` is the one that was read; the session with its new revision.

    Raises ConflictError where somebody else was quicker. Nothing is changed then.
    """
    with opened(session.folder) as db:
        with transaction(db):
            changed = db.execute(
                "UPDATE sessions SET status=?, state=?, open=?, attempt=?, updated_at=?, revision=revision+1 "
                "WHERE id=? AND revision=? AND status IN ('starting', 'running')",
                (
                    session.status,
                    json.dumps(session.state),
                    _open_json(session),
                    json.dumps(session.attempt) if session.attempt else None,
                    session.updated_at,
                    session.id,
                    session.revision,
                ),
            ).rowcount
            if changed != 1:
                raise ConflictError(
                    "conflict",
                    f"session {session.id} was changed by another call in the meantime: nothing was done here. "
                    "Look at it with devkit_status before you advance again",
                )
            if session.status in (STARTING, RUNNING):
                _mark(session)
        _sweep(db, session.folder)
    return session._replace(revision=session.revision + 1)


def load(folder: str, session_id: str) -> Session | None:
    """The session with this id."""
    found = select(folder, "WHERE id=?", (session_id,))
    return found[0] if found else None


def select(folder: str, where: str, values: Sequence[object] = ()) -> list[Session]:
    """Sessions of one store, oldest first; none where there is no store."""
    found = rows(folder, f"SELECT {COLUMNS} FROM sessions {where} ORDER BY started_at, id", values)
    return [_session(folder, row) for row in found]


def step_json(session: Session) -> dict[str, Any]:
    """The open step of a running session as `session-status` shows it."""
    step = session.workflow.steps[session.state.step]
    return {
        "index": session.state.step + 1,
        "total": len(session.workflow.steps),
        "id": step.id,
        "kind": step.kind,
        "enforce": "hard" if step.hard else "soft",
    }


def _session(folder: str, row: tuple[Any, ...]) -> Session:
    id_, status, revision, definition, state, repository, host, host_session, agent, attempt, started, updated = row
    return Session(
        folder,
        id_,
        status,
        revision,
        from_json(json.loads(definition)),
        State(*json.loads(state)),
        repository,
        host,
        host_session,
        agent,
        Attempt(*json.loads(attempt)) if attempt else None,
        started,
        updated,
    )


def _open_json(session: Session) -> str | None:
    """What the hook needs of a running session, so that it reads no snapshot."""
    if session.status != RUNNING:
        return None
    step = session.workflow.steps[session.state.step]
    used_up = over_budget(session.workflow, session.state)
    return json.dumps(
        {
            "step": step_json(session),
            "guard": grant_to_json(step.grant),
            "engine_runs": isinstance(step.does, Command) or bool(used_up),
            "note": used_up,
        }
    )


def _mark(session: Session) -> None:
    """Makes the marker of a session, durable before the transaction that needs it is."""
    folder = os.path.join(session.folder, OPEN)
    path = os.path.join(folder, session.id)
    if os.path.exists(path):
        return
    os.makedirs(folder, 0o700, exist_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    sync_folder(folder)


def _sweep(db: sqlite3.Connection, folder: str) -> None:
    """Removes the markers of sessions that are over: of this one, and of any whose engine was killed before it could.

    Under the write lock, in which markers are made, a marker without an open session is certainly left over. A marker
    that stays only costs the hook a start, so a failure here is none of the change that was saved.
    """
    markers = os.path.join(folder, OPEN)
    with contextlib.suppress(OSError, sqlite3.Error):
        if _left_over(db, markers):
            with transaction(db):
                for name in _left_over(db, markers):
                    os.unlink(os.path.join(markers, name))


def _left_over(db: sqlite3.Connection, markers: str) -> set[str]:
    found = db.execute("SELECT id FROM sessions WHERE status IN ('starting', 'running')")
    return set(os.listdir(markers)) - {row[0] for row in found}


def unknown(session_id: str, known: Sequence[Session]) -> RefusedError:
    """The error for an id that no store has."""
    running = ", ".join(f"{session.id} ({session.workflow.name})" for session in known) or "none"
    return RefusedError("unknown-session", f"no session '{session_id}': running sessions: {running}")
