"""What a folder holds, and what changed: kind, content, mode, owner and modification time of every file.

An upper layer of an overlay holds only what was touched, so it is compared with the lower one, which is as it was.
"""

from __future__ import annotations

import hashlib
import os
import stat
from typing import NamedTuple


class File(NamedTuple):
    """`kind` is `file`, `folder`, `link`, `gone` (the overlay's mark of a removed file) or `other`."""

    kind: str
    mode: int
    owner: tuple[int, int]
    modified: int
    content: str


Tree = dict[str, File]
"""By path, relative to the folder; the folder itself is `.`."""


class Change(NamedTuple):
    """`what` is `created`, `removed`, `changed` or, where only the modification time differs, `touched`."""

    what: str
    path: str
    kind: str


def look(path: str) -> File | None:
    """One file, or None where there is none."""
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    kind, content = "other", ""
    if stat.S_ISREG(status.st_mode):
        kind = "file"
        with open(path, "rb") as file:
            content = hashlib.file_digest(file, "sha1").hexdigest()
    elif stat.S_ISDIR(status.st_mode):
        kind = "folder"
    elif stat.S_ISLNK(status.st_mode):
        kind, content = "link", os.readlink(path)
    elif stat.S_ISCHR(status.st_mode) and status.st_rdev == 0:
        kind = "gone"
    return File(kind, stat.S_IMODE(status.st_mode), (status.st_uid, status.st_gid), status.st_mtime_ns, content)


def take(folder: str) -> Tree:
    """All files of a folder, links not followed."""
    found: Tree = {}
    waiting = ["."]
    while waiting:
        name = waiting.pop()
        file = look(os.path.join(folder, name))
        if file is None:
            continue
        found[name] = file
        if file.kind == "folder":
            waiting += [os.path.normpath(os.path.join(name, inner)) for inner in os.listdir(os.path.join(folder, name))]
    return found


def changes(before: Tree, after: Tree, lower: str | None = None) -> list[Change]:
    """What differs; for files that only `after` has, `lower` says what was there before."""
    found = []
    for path in sorted(before.keys() | after.keys()):
        new = after.get(path)
        old = before.get(path)
        if old is None and lower is not None:
            old = look(os.path.join(lower, path))
        change = _change(path, old, new)
        if change is not None:
            found.append(change)
    return found


def _change(path: str, old: File | None, new: File | None) -> Change | None:
    if old is not None and old.kind == "gone":
        old = None
    if new is not None and new.kind == "gone":
        new = None
    if old == new:
        return None
    if old is None:
        return Change("created", path, new.kind if new else "")
    if new is None:
        return Change("removed", path, old.kind)
    only_time = old._replace(modified=0) == new._replace(modified=0)
    return Change("touched" if only_time else "changed", path, new.kind)
