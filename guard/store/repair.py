"""Puts a store that cannot be read aside, so that an engine can start a new one. Nothing is deleted."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3

from guard.model.errors import UsageError
from guard.store.connect import opened, sync_folder, translated
from guard.store.location import FILE, OPEN
from guard.store.read import irregular


def problem(folder: str) -> str | None:
    """What is wrong with the store in `folder`; None where it is sound or there is none."""
    path = os.path.join(folder, FILE)
    if not os.path.exists(path):
        left = os.path.isdir(os.path.join(folder, OPEN)) and os.listdir(os.path.join(folder, OPEN))
        return f"{path} is missing, but sessions are marked as running" if left else None
    odd = irregular(folder)
    if odd is not None:
        return f"{odd}: not a regular file"
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=5)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error as error:
        return f"{path}: {error}"
    return None if found == ["ok"] else f"{path}: {'; '.join(found)}"


def repair(folder: str, stamp: str) -> list[str]:
    """Puts a new store in the place of a damaged one, whose files get names that end in `stamp`; these names.

    Sessions that were open in it are over: their markers go, so no caller stays bound to what cannot be read. The new
    store is made first, and on a full disk all stays as it was. Raises StoreError, UsageError where there is no store.
    """
    markers = os.path.join(folder, OPEN)
    files = [path for path in _files(folder) if os.path.lexists(path)]
    if not files and not os.path.isdir(markers):
        raise UsageError(f"--repair: there is no store in {folder}")
    fresh = os.path.join(folder, f".new-{stamp}")
    try:
        with opened(fresh):
            pass
        with translated(folder):
            for path in files:
                os.rename(path, f"{path}.{stamp}")
            os.rename(os.path.join(fresh, FILE), os.path.join(folder, FILE))
            sync_folder(folder)
            for name in os.listdir(markers) if os.path.isdir(markers) else []:
                os.unlink(os.path.join(markers, name))
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return [f"{path}.{stamp}" for path in files]


def _files(folder: str) -> list[str]:
    return [os.path.join(folder, FILE + suffix) for suffix in ("", "-wal", "-shm", "-journal")]
