"""Puts a store that cannot be read aside, so that an engine can start a new one. Nothing is deleted."""

from __future__ import annotations

import contextlib
import os
import sqlite3

from guard.store.connect import opened, translated
from guard.store.location import FILE, OPEN


def problem(folder: str) -> str | None:
    """What is wrong with the store in `folder`; None where it is sound or there is none."""
    path = os.path.join(folder, FILE)
    if not os.path.exists(path):
        left = os.path.isdir(os.path.join(folder, OPEN)) and os.listdir(os.path.join(folder, OPEN))
        return f"{path} is missing, but sessions are marked as running" if left else None
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=5)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error as error:
        return f"{path}: {error}"
    return None if found == ["ok"] else f"{path}: {'; '.join(found)}"


def repair(folder: str, stamp: str) -> list[str]:
    """Moves the files of a damaged store to names that end in `stamp` and starts a new one; the new names.

    Sessions that were open in it are over: their markers go, so no caller stays bound to what cannot be read.
    """
    moved = []
    with translated(folder):
        for name in (FILE, FILE + "-wal", FILE + "-shm"):
            path = os.path.join(folder, name)
            if os.path.exists(path):
                os.rename(path, f"{path}.{stamp}")
                moved.append(f"{path}.{stamp}")
        markers = os.path.join(folder, OPEN)
        for name in os.listdir(markers) if os.path.isdir(markers) else []:
            os.unlink(os.path.join(markers, name))
    with opened(folder):
        return moved
