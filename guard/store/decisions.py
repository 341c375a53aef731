"""The decision log: one line of JSON for each decision, appended after the answer is out.

One `write` on a file that is open for appending: lines of hooks that run at the same time never mix, and none waits for
another. A file over its size is put aside under the time as its name, the oldest of those are removed. Nothing is
synced: a machine that loses power may lose the last lines, a decision never waits for a disk.
"""

from __future__ import annotations

import os
import time
from json import dumps

from guard.model.record import TYPE_CHECKING
from guard.store.location import user_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "decisions.jsonl"
MAX_BYTES = 4 << 20
"""Size at which a file is put aside."""
KEPT = 4
"""Files that are kept beside the one that is written to."""
MAX_RECORD = 16 << 10


def log_path(environ: Mapping[str, str]) -> str | None:
    """Where the log is: one for the user, whichever plugin or project the hook runs for. None without a home."""
    folder = user_folder(environ)
    return None if folder is None else os.path.join(folder, NAME)


def append(environ: Mapping[str, str], record: dict[str, Any]) -> None:
    """Adds a record, with an id and the time in front. Raises OSError; a full disk may leave half a line."""
    path = log_path(environ)
    if path is None:
        return
    at = time.time_ns()
    line = _line({"id": f"{at // 1000:x}{os.getpid() & 0xFFF:03x}", "at": at / 1e9, **record})
    handle = _opened(path)
    try:
        os.write(handle, line)
        if os.fstat(handle).st_size > MAX_BYTES:
            _put_aside(path, handle)
    finally:
        os.close(handle)


def _line(record: dict[str, Any]) -> bytes:
    line = dumps(record, separators=(",", ":")).encode("ascii")
    if len(line) > MAX_RECORD:
        long = ("command", "reason", "paths", "rules", "steps")
        line = dumps({key: value for key, value in record.items() if key not in long}, separators=(",", ":")).encode(
            "ascii"
        )
    return line + b"\n"


def _opened(path: str) -> int:
    """The file, made where it is missing. Links and pipes are refused rather than followed or waited for."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        return os.open(path, flags, 0o600)


def _put_aside(path: str, handle: int) -> None:
    """Renames a file that is full, once: whoever else has it open finds that the name is another file's by then."""
    from fcntl import LOCK_EX, LOCK_NB, flock

    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except OSError:
        return  # somebody else is at it
    try:
        renamed = os.stat(path).st_ino != os.fstat(handle).st_ino
    except FileNotFoundError:
        renamed = True
    if renamed:
        return
    folder = os.path.dirname(path)
    os.rename(path, os.path.join(folder, f"decisions-{time.time_ns():020d}.jsonl"))
    for name in aside(folder)[:-KEPT]:
        try:
            os.unlink(os.path.join(folder, name))
        except FileNotFoundError:
            continue  # somebody else was quicker


def aside(folder: str) -> list[str]:
    """Names of the files that were put aside, oldest first."""
    names = os.listdir(folder)
    return sorted(name for name in names if name.startswith("decisions-") and name.endswith(".jsonl"))
