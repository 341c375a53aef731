"""Observations of calls that open, create, change or remove files, and of files that are run."""

from __future__ import annotations

import os

from guard.model.effect import Kind
from guard.prove import trace as tracing
from guard.prove.seen import WRITABLE, Judge, Reading, Seen, argument, is_socket_folder, is_temporary, place_kind
from guard.prove.trace import Call

_DEVICES = frozenset({"/dev/null", "/dev/tty", "/dev/zero", "/dev/full", "/dev/stdout", "/dev/stderr", "/dev/ptmx"})
_OWN_STORES = {"/home/user/.aws/credentials": "aws", "/home/user/.netrc": "curl", "/home/user/.git-credentials": "git"}
"""Credentials of the fixture that a client loads to use them, which is not to show them."""
_NO_TARGET = ("ENOENT", "ENXIO", "ELOOP", "ENOTDIR")
_REFUSED = ("EACCES", "EPERM", "EROFS", "EISDIR", "ETXTBSY", *_NO_TARGET)


def _open(state: Reading, call: Call) -> list[Seen]:
    at = call.name not in ("open", "creat")
    position = 1 if at else 0
    flags = "O_WRONLY|O_CREAT|O_TRUNC" if call.name == "creat" else argument(call, position + 1)
    path = tracing.path(call.result) or state.path(call, position, at=at)
    if not any(flag in flags for flag in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC")):
        return [] if call.error or "O_DIRECTORY" in flags else _read(state, path)
    if path in _DEVICES or not path.startswith("/") or path.startswith(("/dev/pts/", "/dev/fd/", "/proc/self/fd/")):
        return []
    if path.startswith("/proc/"):
        return _in_proc(state, path)
    if "O_TMPFILE" in flags and is_temporary(path + "/"):
        return []
    if "O_EXCL" in flags and not call.error and is_temporary(path):
        return _own_temporary(state, path)
    if path in state.own or _lock_of_index(path):
        return []
    return _written(state, call, path, flags)


def _written(state: Reading, call: Call, path: str, flags: str) -> list[Seen]:
    """Of a file that is opened for writing; what it comes to without O_CREAT and O_TRUNC, the diff says."""
    create = "O_CREAT" in flags and not state.existed(path)
    kind = place_kind(path, Kind.WRITE)
    if call.error in _NO_TARGET and "O_CREAT" not in flags:
        return [Seen(None, f"would open {path} for writing")]
    if call.error in _REFUSED:
        if create or "O_TRUNC" in flags or "O_WRONLY" in flags:
            return [Seen(kind, f"tried to write {path}: {call.error}")]
        return [Seen(None, f"would open {path} for writing")]
    if call.error == "EEXIST":
        return [Seen(kind, f"tried to create {path}: {call.error}")]
    if create or "O_TRUNC" in flags:
        return [Seen(kind, f"created or emptied {path}")]
    return [Seen(None, f"opened {path} for writing")]


def _in_proc(state: Reading, path: str) -> list[Seen]:
    """A process may change what is its own (the names of its threads, say)."""
    parts = path.split("/")
    if parts[2] in {"self", "thread-self"} | state.processes and "mem" not in parts:
        return []
    return [Seen(Kind.SYSTEM if parts[2] == "sys" else Kind.PROCESS, f"opens {path} for writing")]


def _read(state: Reading, path: str) -> list[Seen]:
    if not state.around.secret(path):
        return []
    if path in ("/etc/shadow", "/etc/gshadow") or (path.startswith("/proc/") and path.endswith("/environ")):
        return [Seen(None, f"opened {path}, as libraries for users and `ps` do")]
    if path.startswith("/usr/"):
        return [Seen(None, f"opened {path}, which is a package's and no credential of anybody")]
    if _OWN_STORES.get(path) in state.programs:
        return [Seen(None, f"opened {path}, its own store")]
    return [Seen(Kind.READ_SECRET, f"read {path}")]


def _own_temporary(state: Reading, path: str) -> list[Seen]:
    state.own.add(path)
    if state.remains(path):
        return [Seen(Kind.WRITE, f"left the temporary {path}")]
    return [Seen(Kind.CACHE, "used a temporary of its own")]


def _lock_of_index(path: str) -> bool:
    """What becomes of the index is judged by the index itself."""
    return path.endswith(("/.git/index.lock", "/.git/index"))


def _changes_path(kind: Kind, *positions: int, at: bool) -> Judge:
    def judge(state: Reading, call: Call) -> list[Seen]:
        paths = [state.path(call, position, at=at) for position in positions]
        if call.error in ("EFAULT", "EINVAL", "ENOSYS"):
            return []
        if all(path in state.own or _lock_of_index(path) or not path.startswith("/") for path in paths):
            return []
        if call.name in ("mkdir", "mkdirat") and is_temporary(paths[0]):
            if call.error == "EEXIST":
                return []
            if not call.error:
                state.own.add(paths[0])
                return _own_folder(state, paths[0])
        if kind is Kind.DELETE and call.error in _NO_TARGET and is_temporary(paths[0]):
            return []
        why = f": {call.error}" if call.error else ""
        return [Seen(place_kind(paths[-1], kind), f"{call.name} {' '.join(paths)}{why}")]

    return judge


def _own_folder(state: Reading, path: str) -> list[Seen]:
    """A folder among the temporaries; what is left of one is a change, but for the empty one that tmux leaves."""
    inside = any(created.startswith(path + "/") for created in state.created)
    if state.remains(path) and is_socket_folder(path) and not inside and "tmux" in state.programs:
        return [Seen(Kind.CACHE, f"left the empty folder {path}")]
    return _own_temporary(state, path)


def makes_socket(state: Reading, call: Call) -> list[Seen]:
    """A local socket with a path is a file, and made exclusively; one without a path goes with its process."""
    shown = argument(call, 1).partition("sun_path=")[2]
    if not shown.startswith('"'):
        return []
    path = os.path.normpath(os.path.join(state.around.cwd, tracing.string(shown)))
    if is_temporary(path) and not call.error:
        return _own_temporary(state, path)
    why = f": {call.error}" if call.error else ""
    return [Seen(place_kind(path, Kind.WRITE), f"bind {path}{why}")]


def _changes_file(state: Reading, call: Call) -> list[Seen]:
    path = tracing.path(argument(call, 0))
    if path is None or not path.startswith("/") or path.startswith("/memfd:") or path in state.own:
        return []
    if path in _DEVICES or _lock_of_index(path) or is_temporary(path):
        return []
    return [Seen(place_kind(path, Kind.WRITE), f"{call.name} {path}")]


def _runs(state: Reading, call: Call) -> list[Seen]:
    if call.error:
        return []
    at = call.name == "execveat"
    path = state.path(call, 1 if at else 0, at=at)
    return [Seen(Kind.EXEC, f"ran {path}")] if path.startswith(WRITABLE) else []


def _maps(_: Reading, call: Call) -> list[Seen]:
    path = tracing.path(argument(call, 4))
    if "PROT_EXEC" in argument(call, 2) and path is not None and path.startswith(WRITABLE):
        return [Seen(Kind.EXEC, f"loaded the library {path}")]
    return []


JUDGES: dict[str, Judge] = {
    **dict.fromkeys(("open", "openat", "openat2", "creat"), _open),
    "mkdir": _changes_path(Kind.WRITE, 0, at=False),
    "mkdirat": _changes_path(Kind.WRITE, 1, at=True),
    "mknod": _changes_path(Kind.WRITE, 0, at=False),
    "mknodat": _changes_path(Kind.WRITE, 1, at=True),
    "rmdir": _changes_path(Kind.DELETE, 0, at=False),
    "unlink": _changes_path(Kind.DELETE, 0, at=False),
    "unlinkat": _changes_path(Kind.DELETE, 1, at=True),
    "rename": _changes_path(Kind.WRITE, 0, 1, at=False),
    "renameat": _changes_path(Kind.WRITE, 1, 3, at=True),
    "renameat2": _changes_path(Kind.WRITE, 1, 3, at=True),
    "link": _changes_path(Kind.WRITE, 1, at=False),
    "linkat": _changes_path(Kind.WRITE, 3, at=True),
    "symlink": _changes_path(Kind.WRITE, 1, at=False),
    "symlinkat": _changes_path(Kind.WRITE, 2, at=True),
    **dict.fromkeys(
        ("chmod", "chown", "lchown", "truncate", "utime", "utimes", "setxattr", "lsetxattr", "removexattr",
         "lremovexattr"),
        _changes_path(Kind.WRITE, 0, at=False),
    ),
    **dict.fromkeys(
        ("fchmodat", "fchmodat2", "fchownat", "futimesat", "utimensat"), _changes_path(Kind.WRITE, 1, at=True)
    ),
    **dict.fromkeys(("fchmod", "fchown", "ftruncate", "fallocate", "fsetxattr", "fremovexattr"), _changes_file),
    **dict.fromkeys(("execve", "execveat"), _runs),
    "mmap": _maps,
}  # fmt: skip
