"""Attempts: an engine process that is running a command or gate of a session says so in the session's row.

Nothing is locked. The attempt only tells other engines that it is no use to start the same command again; what counts
in the end is the revision. An attempt is void when its process is gone, when its time is over, or when this process
itself no longer works on it, so nothing stays busy.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

from guard.model.errors import ConflictError, GuardError
from guard.workflow import sessions
from guard.workflow.process import birth, lives
from guard.workflow.sessions import Attempt, Session

SLACK = 30
"""Seconds beyond a command's own limit after which its attempt is void whatever its process does."""
_active: set[Attempt] = set()


def make(what: str, timeout: int) -> Attempt:
    """An attempt of this process, from now on."""
    now = time.time()
    return Attempt(os.getpid(), birth(os.getpid()), now, now + timeout + SLACK, what)


def under_way(session: Session) -> Attempt | None:
    """The attempt that still runs, None where there is none or it is void."""
    attempt = session.attempt
    if attempt is None or time.time() > attempt.until or not lives(attempt.pid, attempt.born):
        return None
    return attempt if attempt.pid != os.getpid() or attempt in _active else None


def refuse_busy(session: Session) -> None:
    """Raises ConflictError where another advance of the session is under way."""
    attempt = under_way(session)
    if attempt is not None:
        raise ConflictError(
            "conflict",
            f"another advance of session {session.id} is under way: process {attempt.pid} runs `{attempt.what[:80]}`: "
            "wait for it and look with devkit_status",
        )


@contextlib.contextmanager
def working(session: Session) -> Iterator[None]:
    """While this process works on the attempt that was saved with `session`; gives it up where that fails."""
    attempt = session.attempt
    assert attempt is not None
    _active.add(attempt)
    try:
        yield
    except BaseException:
        with contextlib.suppress(GuardError):
            sessions.save(session._replace(attempt=None))
        raise
    finally:
        _active.discard(attempt)
