"""What can be done with sessions: start, advance, abort, look. Joins the pure engine, the store and real commands.

A command or gate runs outside every lock and transaction. Before it does, its attempt is written to the session, so
that a second advance is refused at once instead of running it again; when the engine dies, its attempt is void and the
next advance takes over. What it leads to is saved only if the session is still as it was.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from guard.model.errors import ConflictError, RefusedError, UsageError
from guard.store.connect import note_folder
from guard.store.location import all_folders, folders
from guard.workflow import attempts, sessions
from guard.workflow.catalog import find
from guard.workflow.definition import Command, Loop, Workflow
from guard.workflow.engine import (
    RUNNING,
    Aborted,
    Outcome,
    Ran,
    Reported,
    State,
    advance,
    begin,
    gate_of,
    over_budget,
)
from guard.workflow.process import command_environment, run
from guard.workflow.sessions import STARTING, Attempt, Session

LIMIT = 1 << 20
"""Characters of input or output that a session takes."""
OPENED = ("starting", "running")
Progress = Callable[[str], None]


class Owner(NamedTuple):
    """Whom a session binds: callers of `host_session` (and `agent`), or without one everybody in `home`.

    `person`: it is started at a shell by somebody who may open as many as they like.
    """

    home: str
    host: str
    host_session: str | None = None
    agent: str | None = None
    person: bool = False


def silent(_: str) -> None:
    """Progress that nobody watches."""


def start(
    workflow: Workflow | str, text: str, owner: Owner, environ: Mapping[str, str], progress: Progress = silent
) -> Session:
    """Opens a session at the first step of a workflow, runs its leading command steps, and returns it."""
    if isinstance(workflow, str):
        workflow = find(workflow, environ)
    _check_size("input", text)
    places = folders(environ)
    if not places:
        raise UsageError("no place for the workflow state: set HOME or XDG_STATE_HOME")
    if not owner.person:
        _refuse_second(workflow, owner, environ)
    _end_orphans(places[0])
    now = time.time()
    session = Session(
        places[0],
        os.urandom(6).hex(),
        RUNNING,
        1,
        workflow,
        begin(workflow, text),
        owner.home,
        owner.host,
        owner.host_session,
        owner.agent,
        attempts.make("git switch", 60) if workflow.branch_name else _attempt_at(workflow, 0),
        now,
        now,
    )
    note_folder(places[0], environ)
    if workflow.branch_name is None:
        sessions.insert(session)
        return _run_commands(session, environ, progress)
    session = session._replace(status=STARTING)
    sessions.insert(session)
    problem = _create_branch(workflow.branch_name, owner.home)
    if problem:
        sessions.save(session._replace(status="failed", state=session.state._replace(notice=problem), attempt=None))
        raise RefusedError("no-branch", f"workflow {workflow.name} was not started: {problem}")
    session = sessions.save(session._replace(status=RUNNING, attempt=_attempt_at(workflow, 0), updated_at=time.time()))
    return _run_commands(session, environ, progress)


def proceed(
    session: Session, output: str, environ: Mapping[str, str], progress: Progress = silent, spent: float = 0
) -> Session:
    """Advances a session with the output of its open step; the session as it is then.

    A step that is not done stays open and says why in `state.notice`. Raises ConflictError where another advance is
    under way or was quicker, RefusedError where the session is over.
    """
    if session.status == STARTING:
        raise RefusedError("starting", f"session {session.id} has not been started: abort it, then start it again")
    if session.status != RUNNING:
        raise RefusedError(
            "ended", f"session {session.id} is {session.status}: start the workflow again if it is needed"
        )
    _check_size("output", output)
    if not 0 <= spent < float("inf"):
        raise UsageError(f"spent: expected a number from 0 (got {spent:g})")
    attempts.refuse_busy(session)
    if used_up := over_budget(session.workflow, session.state):
        raise RefusedError("budget", used_up)
    step = session.workflow.steps[session.state.step]
    if isinstance(step.does, Command):
        claimed = sessions.save(session._replace(attempt=_attempt_at(session.workflow, session.state.step)))
        return _run_commands(claimed, environ, progress)
    report = Reported(output, None, spent)
    loop = gate_of(session.workflow, session.state, output)
    if loop is not None:
        session = _after_gate(session, loop, report, environ, progress)
    else:
        session = _save(session, advance(session.workflow, session.state, report))
    return _run_commands(session, environ, progress)


def abort(session: Session, reason: str) -> Session:
    """Ends a session, whatever it is doing; an advance that is under way will find it ended."""
    if session.status not in OPENED:
        raise RefusedError("ended", f"session {session.id} is {session.status} already")
    if not reason.strip():
        raise RefusedError("reason-required", "say why the session ends: devkit_abort needs a reason")
    for _ in range(20):
        state = session.state._replace(status="aborted", notice=f"aborted: {reason.strip()}")
        if session.status == RUNNING:
            state = advance(session.workflow, session.state, Aborted(reason.strip()))
        try:
            return sessions.save(
                session._replace(status=state.status, state=state, attempt=None, updated_at=time.time())
            )
        except ConflictError:
            newest = sessions.load(session.folder, session.id)
            if newest is None or newest.status not in OPENED:
                raise
            session = newest
    raise ConflictError("conflict", f"session {session.id} changes all the time: try again")


def listed(environ: Mapping[str, str], *, ended: bool = False) -> list[Session]:
    """The sessions of all stores that are known, oldest first; only those that are open unless `ended`."""
    where = "" if ended else "WHERE status IN ('starting', 'running')"
    found = [session for folder in all_folders(environ) for session in sessions.select(folder, where)]
    return sorted(found, key=lambda session: (session.started_at, session.id))


def named(session_id: str, environ: Mapping[str, str]) -> Session:
    """The session with this id, open or not, from whichever store has it."""
    for folder in all_folders(environ):
        session = sessions.load(folder, session_id)
        if session is not None:
            return session
    raise sessions.unknown(session_id, listed(environ))


def only_one(home: str, environ: Mapping[str, str]) -> Session:
    """The one open session of the repository `home`, for a person who names none."""
    found = [session for session in listed(environ) if session.repository == home]
    if len(found) == 1:
        return found[0]
    if not found:
        raise RefusedError("no-session", f"no session is open in {home}: devkit-engine status shows all")
    ids = ", ".join(f"{session.id} ({session.workflow.name})" for session in found)
    raise RefusedError("several-sessions", f"several sessions are open in {home}: name one with --session: {ids}")


def _end_orphans(folder: str) -> None:
    """Ends sessions whose engine was killed between their branch and their first step: nobody was told of them."""
    for session in sessions.select(folder, "WHERE status='starting'"):
        if attempts.under_way(session) is None:
            state = session.state._replace(status="failed", notice="the engine was stopped while it started")
            with contextlib.suppress(ConflictError):
                sessions.save(session._replace(status=state.status, state=state, attempt=None))


def _refuse_second(workflow: Workflow, owner: Owner, environ: Mapping[str, str]) -> None:
    """A caller with an open session may start another only where every open step grants the tool `devkit_start`."""
    for session in listed(environ):
        if session.status != RUNNING or not _owns(session, owner):
            continue
        step = session.workflow.steps[session.state.step]
        delegate = session.host_session is not None and session.agent != owner.agent
        if delegate and step.grant.subagents == "free":
            continue
        if "devkit_start" not in step.grant.tools or (delegate and step.grant.subagents == "none"):
            raise RefusedError(
                "session-open",
                f"{workflow.name} was not started: workflow {session.workflow.name} (session {session.id}) is open at "
                f"step {session.state.step + 1}/{len(session.workflow.steps)} ({step.id}), which does not allow a "
                "second one: finish it with devkit_advance or end it with devkit_abort first",
            )


def _owns(session: Session, owner: Owner) -> bool:
    if session.host_session is None:
        return session.repository == owner.home
    return session.host_session == owner.host_session and session.agent in (None, owner.agent)


def _run_commands(session: Session, environ: Mapping[str, str], progress: Progress) -> Session:
    """Runs the open command step and those that follow it, until one fails or another kind of step is open."""
    while session.attempt is not None and session.status == RUNNING:
        step = session.workflow.steps[session.state.step]
        assert isinstance(step.does, Command)
        progress(f"step {step.id}: {step.does.command}")
        with attempts.working(session):
            outcome = _run(session, step.does.command, step.does.timeout, environ, session.state.outputs)
            session = _save(session, advance(session.workflow, session.state, Ran(outcome)))
    return session


def _after_gate(
    session: Session, loop: Loop, report: Reported, environ: Mapping[str, str], progress: Progress
) -> Session:
    """Runs the gate of a loop, and saves what its outcome makes of the report."""
    assert loop.gate is not None
    step = session.workflow.steps[session.state.step]
    session = sessions.save(session._replace(attempt=attempts.make(loop.gate, loop.timeout)))
    with attempts.working(session):
        progress(f"gate, round {session.state.iteration} of {loop.max}: {loop.gate}")
        outputs = {**session.state.outputs, step.id: report.output}
        gate = _run(session, loop.gate, loop.timeout, environ, outputs)
        return _save(session, advance(session.workflow, session.state, report._replace(gate=gate)))


def _save(session: Session, state: State) -> Session:
    """Saves a new state; a command step that it opens is claimed in the same transaction.

    A command step that failed, so that it is still open, is left for the next advance.
    """
    moved = state.step != session.state.step or state.visits != session.state.visits
    attempt = None
    if moved and state.status == RUNNING and not over_budget(session.workflow, state):
        attempt = _attempt_at(session.workflow, state.step)
    return sessions.save(session._replace(status=state.status, state=state, attempt=attempt, updated_at=time.time()))


def _attempt_at(workflow: Workflow, step: int) -> Attempt | None:
    does = workflow.steps[step].does
    return attempts.make(does.command, does.timeout) if isinstance(does, Command) else None


def _run(
    session: Session, command: str, timeout: int, environ: Mapping[str, str], outputs: Mapping[str, str]
) -> Outcome:
    variables = command_environment(environ, session.state.input, outputs)
    return run(command, session.repository, variables, timeout)


def _check_size(what: str, text: str) -> None:
    if len(text) > LIMIT:
        raise RefusedError(
            "too-long", f"{what}: {len(text)} characters are more than {LIMIT}: write a file and name it instead"
        )


def _create_branch(name: str, folder: str) -> str:
    """Creates and checks out a branch; what went wrong, empty where nothing did."""
    try:
        done = subprocess.run(
            ["git", "switch", "-c", name], cwd=folder, capture_output=True, text=True, timeout=60, check=False
        )
    except FileNotFoundError:
        return f"git was not found, so there is no branch '{name}'"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"git could not create branch '{name}': {error}"
    said = (done.stderr or done.stdout).strip() or "no message"
    return "" if done.returncode == 0 else f"git could not create branch '{name}': {said.splitlines()[-1]}"
