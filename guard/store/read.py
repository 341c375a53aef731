"""The hook's way in: read-only, one short transaction, never a wait longer than its own deadline."""

from __future__ import annotations

import os
import stat

from guard.model.errors import StoreError
from guard.model.record import TYPE_CHECKING
from guard.store.location import FILE, OPEN, repair_command

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

DEADLINE = 1.0
"""Seconds that a reader waits for a writer. In WAL mode it only ever has to while a log is recovered or removed."""


def rows(folder: str, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """The rows of one query on the store in `folder`; none where there is no store, or one that has no tables yet.

    Raises StoreError where the store exists and cannot be read, unless it is certain that no session is running.
    """
    path = os.path.join(folder, FILE)
    if not _present(folder, path):
        return []
    odd = irregular(folder)
    if odd is not None:
        if nothing_runs(folder):
            return []
        raise StoreError(odd, "the workflow state cannot be read (not a regular file)", repair_command(folder))
    import sqlite3  # kept off the path of a machine without a store

    try:
        try:
            return _query(folder, "mode=ro", query, values)
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or _has_log(path):
                raise
            # Nothing can be created beside the file (read-only, full), and there is no log that is not in it yet: no
            # engine can change it under us either.
            return _query(folder, "mode=ro&immutable=1", query, values)
    except sqlite3.Error as error:
        if nothing_runs(folder):
            return []
        raise StoreError(path, f"the workflow state cannot be read ({error})", repair_command(folder)) from error


def nothing_runs(folder: str, *, missing: bool = False) -> bool:
    """Whether the markers say that no session is running; False where they cannot be read.

    `missing` is the answer where their folder is not there: it is made with the first session.
    """
    try:
        return not os.listdir(os.path.join(folder, OPEN))
    except (FileNotFoundError, NotADirectoryError):
        return missing
    except OSError:
        return False


def irregular(folder: str) -> str | None:
    """A file of the store that is something else than a file, which SQLite would wait on or fail at; or None."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path = os.path.join(folder, FILE + suffix)
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                return path
        except OSError:
            continue
    return None


def _has_log(path: str) -> bool:
    try:
        return os.stat(path + "-wal").st_size > 0
    except FileNotFoundError:
        return False


def _present(folder: str, path: str) -> bool:
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        _refuse_lost(folder)
        return False
    except OSError as error:
        what = f"the workflow state cannot be read ({error.strerror})"
        raise StoreError(path, what, repair_command(folder)) from error
    return True


def _query(folder: str, how: str, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
    import sqlite3

    uri = f"file:{_quoted(os.path.join(folder, FILE))}?{how}"
    connection = sqlite3.connect(uri, uri=True, timeout=DEADLINE, isolation_level=None)
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
            # An engine was killed before its first migration, and there has never been a session; or it was emptied.
            _refuse_lost(folder)
            return []
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


def _refuse_lost(folder: str) -> None:
    if not nothing_runs(folder, missing=True):
        what = "the workflow state is gone while a session is marked as running"
        raise StoreError(os.path.join(folder, FILE), what, repair_command(folder))


def _quoted(path: str) -> str:
    """A path as it stands in a file URI."""
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
