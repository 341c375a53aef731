"""What reading a SQLite file can do beyond reading: found at decision time, in its header and schema.

A view, virtual table or generated column can call edit(), which runs a program, although the shell was started with
-readonly; a file in WAL mode gets `-wal` and `-shm` files beside it. https://www.sqlite.org/fileformat.html
"""

from __future__ import annotations

import os
import stat

_MAGIC = b"SQLite format 3\0"


def check(path: str) -> str | None:
    """Why `sqlite3 -readonly` on this file may do more than read, or None. A file that is not there makes it fail."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return "the database is not a plain file"
    try:
        with open(path, "rb") as file:
            header = file.read(100)
    except OSError as error:
        return f"the database cannot be looked into: {error.strerror}"
    if not header.startswith(_MAGIC):
        return None if not header else "the file is not a SQLite database"
    if 2 in header[18:20]:
        return "the database is in WAL mode: reading it creates files beside it"
    return _schema(path)


def _schema(path: str) -> str | None:
    import sqlite3  # only for a database that is there and may be read

    try:
        database = sqlite3.connect(f"file:{_quoted(path)}?mode=ro&immutable=1", uri=True, timeout=0)
        try:
            rows = database.execute("select type, sql from sqlite_master where sql is not null limit 10001").fetchall()
        finally:
            database.close()
    except sqlite3.Error as error:
        return f"the database cannot be looked into: {error}"
    if len(rows) > 10_000:
        return "the schema is too large to be looked into"
    for kind, sql in rows:
        text = str(sql).casefold()
        if kind == "view" or "virtual" in text or "generated" in text or " as (" in text.replace("as(", "as ("):
            return "the schema has views, virtual tables or generated columns, which can call edit()"
    return None


def _quoted(path: str) -> str:
    plain = b"/._-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return "".join(chr(byte) if byte in plain else f"%{byte:02x}" for byte in os.fsencode(path))
