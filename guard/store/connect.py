"""The engines' way in: creates the store, brings its schema up to date, and keeps transactions short and durable."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping

from guard.model.errors import StoreError
from guard.store.location import FILE, KNOWN, all_folders, repair_command, user_folder
from guard.store.migrations import MIGRATIONS
from guard.store.read import irregular, nothing_runs

BUSY = 5.0
"""Seconds that a writer waits for another one; no transaction holds a gate or a command, so they are short."""


@contextlib.contextmanager
def opened(folder: str) -> Iterator[sqlite3.Connection]:
    """A connection to the store in `folder`, which is created where it is missing. Raises StoreError."""
    path = os.path.join(folder, FILE)
    with translated(folder):
        odd = irregular(folder)
        if odd is not None:
            raise StoreError(odd, "not a regular file", repair_command(folder))
        _create(folder, path)
        connection = sqlite3.connect(path, timeout=BUSY, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous=FULL")
            _migrate(connection, folder)
            yield connection
        finally:
            connection.close()


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """One write transaction: all of it or nothing, on the disk when this returns."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def translated(folder: str) -> Iterator[None]:
    """Errors of SQLite and of the file system as StoreError, with what a person can do."""
    path = os.path.join(folder, FILE)
    try:
        yield
    except sqlite3.OperationalError as error:
        if "readonly" in str(error) or "unable to open" in str(error):
            raise StoreError(path, f"the store cannot be written ({error})", f"ls -ld {folder} {path}") from error
        if "full" in str(error) or "disk I/O" in str(error):
            raise StoreError(path, f"nothing was saved ({error})", f"df {folder}") from error
        if "locked" in str(error):
            raise StoreError(
                path, f"another engine has been writing for {BUSY:.0f} s", "devkit-engine status"
            ) from error
        raise StoreError(path, str(error), repair_command(folder)) from error
    except sqlite3.DatabaseError as error:
        raise StoreError(path, f"the store is damaged ({error})", repair_command(folder)) from error
    except OSError as error:
        raise StoreError(error.filename or path, f"{error.strerror}", f"ls -ld {folder}") from error


def sync_folder(folder: str) -> None:
    """Makes names that were created in or removed from `folder` durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _create(folder: str, path: str) -> None:
    """Makes a store that is complete when it appears under its name.

    Readers cannot roll back what an engine left half done in a file that is not in WAL mode yet, so the file is made
    under another name and linked to its own; of two engines that do so at once one succeeds.
    """
    if os.path.exists(path):
        return
    _refuse_lost(folder, path)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    if os.stat(folder).st_mode & 0o077:
        os.chmod(folder, 0o700)
    made = f"{path}.new-{os.getpid()}-{os.urandom(3).hex()}"
    os.close(os.open(made, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with contextlib.closing(sqlite3.connect(made, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            connection.execute("PRAGMA synchronous=FULL")
            _migrate(connection, folder)
        try:
            os.link(made, path)
        except FileExistsError:  # another engine was quicker
            pass
        except OSError:  # a file system without hard links
            os.rename(made, path)
        sync_folder(folder)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(made)
    _remove_left_over(folder)


def _remove_left_over(folder: str) -> None:
    """Removes files of engines that were killed while they made a store."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with contextlib.suppress(FileNotFoundError):
            if name.startswith(FILE + ".new-") and time.time() - os.stat(path).st_mtime > 60:
                os.unlink(path)


def note_folder(folder: str, environ: Mapping[str, str]) -> None:
    """Lists a store that is outside the user's state folder there. No harm where that cannot be done."""
    user = user_folder(environ)
    if user is None or folder in all_folders({**environ, "CLAUDE_PLUGIN_DATA": ""}):
        return
    with contextlib.suppress(OSError):
        os.makedirs(user, 0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe is an error, not a wait
        with open(os.open(os.path.join(user, KNOWN), flags, 0o600), "wb") as file:
            file.write(folder.encode("utf-8", "surrogateescape") + b"\n")


def _migrate(connection: sqlite3.Connection, folder: str) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        path = os.path.join(folder, FILE)
        raise StoreError(path, f"written by a newer devkit-engine (schema {version})", "devkit-engine doctor")
    if version == len(MIGRATIONS):
        return
    if version == 0:
        _refuse_lost(folder, os.path.join(folder, FILE))
    with transaction(connection):
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        for migration in MIGRATIONS[version:]:
            migration(connection)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _refuse_lost(folder: str, path: str) -> None:
    """A new store must not take the place of one that has gone while sessions were running."""
    if not nothing_runs(folder, missing=True):
        raise StoreError(path, "the store is gone while a session is marked as running", repair_command(folder))
