"""The store's schema as ordered functions; a change of the schema is a new `mNNN_` at the end, never an edit.

`PRAGMA user_version` is the number of migrations that a file has had.
"""

from __future__ import annotations

import sqlite3


def m001_sessions(db: sqlite3.Connection) -> None:
    """One row for each session.

    `definition` is the workflow as it was at the start, `state` where the session is in it, `open` the open step as the
    hook needs it (all JSON; `open` is null unless the session is running). `revision` goes up with every change.
    `attempt` is the engine process that is running a command or gate, null where none is. Times are seconds since 1970.
    """
    db.execute(
        """
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            workflow TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('starting', 'running', 'done', 'failed', 'aborted')),
            revision INTEGER NOT NULL,
            definition TEXT NOT NULL,
            state TEXT NOT NULL,
            open TEXT,
            repository TEXT NOT NULL,
            host TEXT NOT NULL,
            host_session TEXT,
            agent TEXT,
            attempt TEXT,
            started_at REAL NOT NULL,
            updated_at REAL NOT NULL
        )
        """
    )
    db.execute("CREATE INDEX sessions_open ON sessions (status) WHERE status IN ('starting', 'running')")


MIGRATIONS = (m001_sessions,)
