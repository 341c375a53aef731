"""What an observation is, and what is known while a trace is read."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from guard.model.effect import Kind
from guard.prove import trace as tracing
from guard.prove.snapshot import Change
from guard.prove.trace import Call, Trace

TEMPORARY = ("/tmp/", "/dev/shm/", "/var/tmp/")
WRITABLE = ("/home/", "/root/", *TEMPORARY)
"""Where a user can put files that a program could be made to load."""
MARK = "/home/user/.ran-"
"""Files that the decoys of the fixture create when they are run."""


_SOCKET_FOLDERS = ("/tmp/tmux-",)
"""Empty folders for sockets, a user's number behind the name, that a client leaves where no server ever ran."""


class Seen(NamedTuple):
    """One observation; `kind` is None for a note."""

    kind: Kind | None
    what: str


class Surroundings(NamedTuple):
    """`root` is where the sandbox's files can be seen from outside; `secret` knows credential files."""

    root: str
    cwd: str
    secret: Callable[[str], bool]
    changes: tuple[Change, ...]


class Reading:
    """`own` are the temporaries that the command created exclusively, `programs` the names of all that ran.

    `own_objects` are the System V objects, by kind and id, that it made exclusively and removed again.
    """

    def __init__(self, trace: Trace, around: Surroundings) -> None:
        self.around = around
        self.processes = frozenset(map(str, trace.started))
        self.own: set[str] = set()
        self.created = frozenset(change.path for change in around.changes if change.what == "created")
        self.removed = frozenset(change.path for change in around.changes if change.what == "removed")
        self.programs = frozenset(
            os.path.basename(tracing.string(call.arguments[0])) for call in trace.calls if call.name == "execve"
        )
        removed = Counter((call.name[:3], argument(call, 0)) for call in trace.calls if removes_object(call))
        made = Counter((call.name[:3], call.result) for call in trace.calls if makes_object(call))
        shared = {(call.name[:3], call.result) for call in trace.calls if makes_object(call) and not _alone(call)}
        self.own_objects = {one for one, count in made.items() if removed[one] >= count} - shared

    def remains(self, path: str) -> bool:
        """Whether the path is there after the run."""
        return os.path.lexists(self.around.root + path)

    def existed(self, path: str) -> bool:
        """Whether the path was there before the run."""
        return path in self.removed or (path not in self.created and self.remains(path))

    def path(self, call: Call, index: int, *, at: bool) -> str:
        """The absolute path of an argument; `at`: the one before it is the folder that it is relative to."""
        given = tracing.string(call.arguments[index]) if index < len(call.arguments) else ""
        folder = tracing.path(call.arguments[index - 1]) if at else None
        if given == "NULL":  # the file descriptor itself
            return folder or given
        return os.path.normpath(os.path.join(folder or self.around.cwd, given))


Judge = Callable[[Reading, Call], list[Seen]]
"""What makes observations of one call."""


def argument(call: Call, index: int) -> str:
    """An argument as strace shows it, empty where there is none."""
    return call.arguments[index] if index < len(call.arguments) else ""


def makes_object(call: Call) -> bool:
    """Whether the call makes a System V object, or takes the one that has this key."""
    shown = ", ".join(call.arguments)
    return call.name in ("shmget", "semget", "msgget") and ("IPC_CREAT" in shown or "IPC_PRIVATE" in shown)


def _alone(call: Call) -> bool:
    """Whether what it makes can be nobody else's: without a key, or refused where the key is taken."""
    shown = ", ".join(call.arguments)
    return "IPC_PRIVATE" in shown or "IPC_EXCL" in shown


def removes_object(call: Call) -> bool:
    """Whether the call removed a System V object."""
    return call.name in ("shmctl", "semctl", "msgctl") and not call.error and "IPC_RMID" in ", ".join(call.arguments)


def is_temporary(path: str) -> bool:
    """Whether the path is where programs keep temporaries."""
    return path.startswith(TEMPORARY)


def is_socket_folder(path: str) -> bool:
    """Whether a folder of this name is where a client looks for its server."""
    return any(path.startswith(start) and path.removeprefix(start).isdecimal() for start in _SOCKET_FOLDERS)


def place_kind(path: str, usual: Kind) -> Kind:
    """The kind of a change at this path: of a repository, of state in the home folder, or what it is anywhere."""
    parts = path.split("/")
    if ".git" in parts or path.startswith("/home/user/remote.git/"):
        return Kind.REPO
    inside = path.removeprefix("/home/user/")
    if "__pycache__" in parts or (inside != path and inside.startswith((".", "go/", "snap/"))):
        return Kind.BUILD
    return usual
