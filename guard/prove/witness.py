"""What was seen, as kinds of effect: the calls of a trace and the changes of files together.

An effect is a change of state, or an attempt that failed only for lack of permission or of a target. Calls that change
nothing by themselves and cannot be judged by what they leave (a file opened for writing as it was, a word with a local
daemon) are notes: kind None.
"""

from __future__ import annotations

import os
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
_Judge = Callable[["_Reading", Call], list["Seen"]]
_DEVICES = frozenset({"/dev/null", "/dev/tty", "/dev/zero", "/dev/full", "/dev/stdout", "/dev/stderr", "/dev/ptmx"})
_GRACE = 1.0


class Seen(NamedTuple):
    """One observation; `kind` is None for a note."""

    kind: Kind | None
    what: str


class Surroundings(NamedTuple):
    """`root` is where the sandbox's files are seen from outside; `secret` knows credential files; `changes` the diff."""

    root: str
    cwd: str
    secret: Callable[[str], bool]
    changes: tuple[Change, ...]


def place_kind(path: str, usual: Kind) -> Kind:
    """The kind of a change at this path: of a repository, of state in the home folder, or what it is anywhere."""
    parts = path.split("/")
    if ".git" in parts or path.startswith("/home/user/remote.git/"):
        return Kind.REPO
    inside = path.removeprefix("/home/user/")
    if "__pycache__" in parts or (inside != path and inside.startswith((".", "go/", "snap/"))):
        return Kind.BUILD
    return usual


def of_changes(changes: list[Change], same_index: bool) -> list[Seen]:
    """Observations of a diff, whose paths are absolute here. `same_index`: the git index has the entries it had."""
    found: list[Seen] = []
    for change in changes:
        if change.path.startswith(MARK):
            found.append(Seen(Kind.EXEC, f"ran the project's {change.path.removeprefix(MARK)}"))
        elif same_index and _is_refresh(change):
            found.append(Seen(Kind.CACHE, "refreshed the stat data of the git index"))
        else:
            usual = Kind.DELETE if change.what == "removed" else Kind.WRITE
            found.append(Seen(place_kind(change.path, usual), f"{change.what} {change.path}"))
    return found


def _is_refresh(change: Change) -> bool:
    """The index, or the folder in which its lock was made."""
    return (change.what != "removed" and change.path.endswith("/.git/index")) or (
        change.what == "touched" and change.path.endswith("/.git")
    )


def of_trace(trace: Trace, around: Surroundings, main: int) -> list[Seen]:
    """Observations of a trace, in its order, each once."""
    state = _Reading(trace, around)
    found: dict[Seen, None] = {}
    for call in trace.calls:
        judge = _JUDGES.get(call.name)
        if judge is not None:
            found.update(dict.fromkeys(judge(state, call)))
    end = trace.ended.get(main)
    late = [process for process in trace.started if end is not None and trace.ended.get(process, 1e12) > end + _GRACE]
    if late:
        found[Seen(Kind.PROCESS, "left a process behind that outlived the command")] = None
    return list(found)


class _Reading:
    """`own` are the temporaries that the command created exclusively."""

    def __init__(self, trace: Trace, around: Surroundings) -> None:
        self.around = around
        self.processes = frozenset(trace.started)
        self.own: set[str] = set()
        self.created = frozenset(change.path for change in around.changes if change.what == "created")
        self.removed = frozenset(change.path for change in around.changes if change.what == "removed")

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


def _open(state: _Reading, call: Call) -> list[Seen]:
    at = call.name != "open" and call.name != "creat"
    position = 1 if at else 0
    flags = "O_WRONLY|O_CREAT|O_TRUNC" if call.name == "creat" else _argument(call, position + 1)
    path = tracing.path(call.result) or state.path(call, position, at=at)
    if "O_WRONLY" not in flags and "O_RDWR" not in flags and "O_CREAT" not in flags and "O_TRUNC" not in flags:
        return [] if call.error else _opened(state, path)
    if path in _DEVICES or path.startswith(("/dev/pts/", "/dev/fd/", "/proc/self/fd/", "pipe:", "socket:")):
        return []
    if path.startswith("/proc/"):
        return [Seen(Kind.SYSTEM if path.startswith("/proc/sys") else Kind.PROCESS, f"opens {path} for writing")]
    if "O_TMPFILE" in flags and _temporary(path + "/"):
        return []
    if "O_EXCL" in flags and not call.error and _temporary(path):
        state.own.add(path)
        return _temporary_file(state, path)
    if path in state.own or _lock_of_index(path):
        return []
    if call.error in ("ENOENT", "ENXIO", "ELOOP", "ENOTDIR") and "O_CREAT" not in flags:
        return [Seen(None, f"would open {path} for writing")]
    create = "O_CREAT" in flags and not state.existed(path)
    if call.error in ("EACCES", "EPERM", "EROFS", "EISDIR", "ENOTDIR", "ENOENT", "ETXTBSY"):
        if create or "O_TRUNC" in flags or "O_WRONLY" in flags:
            return [Seen(place_kind(path, Kind.WRITE), f"tried to write {path}: {call.error}")]
        return [Seen(None, f"would open {path} for writing")]
    if call.error == "EEXIST":
        return [Seen(place_kind(path, Kind.WRITE), f"tried to create {path}: {call.error}")]
    if create or "O_TRUNC" in flags:
        return [Seen(place_kind(path, Kind.WRITE), f"created or emptied {path}")]
    return [Seen(None, f"opened {path} for writing")]


def _opened(state: _Reading, path: str) -> list[Seen]:
    return [Seen(Kind.READ_SECRET, f"read {path}")] if state.around.secret(path) else []


def _maps(_: _Reading, call: Call) -> list[Seen]:
    path = tracing.path(_argument(call, 4))
    if "PROT_EXEC" in _argument(call, 2) and path is not None and path.startswith(WRITABLE):
        return [Seen(Kind.EXEC, f"loaded the library {path}")]
    return []


def _temporary(path: str) -> bool:
    return path.startswith(TEMPORARY)


def _lock_of_index(path: str) -> bool:
    """What becomes of the index is judged by the index itself."""
    return path.endswith(("/.git/index.lock", "/.git/index"))


def _temporary_file(state: _Reading, path: str) -> list[Seen]:
    if state.remains(path):
        return [Seen(Kind.WRITE, f"left the temporary {path}")]
    return [Seen(Kind.CACHE, "used a temporary file of its own")]


def _argument(call: Call, index: int) -> str:
    return call.arguments[index] if index < len(call.arguments) else ""


def _changes_path(kind: Kind, *positions: int, at: bool) -> _Judge:
    def judge(state: _Reading, call: Call) -> list[Seen]:
        paths = [state.path(call, position, at=at) for position in positions]
        if call.error in ("EFAULT", "EINVAL", "ENOSYS"):
            return []
        if all(path in state.own or _lock_of_index(path) for path in paths):
            return []
        if call.name in ("mkdir", "mkdirat") and _temporary(paths[0]) and not call.error:
            state.own.add(paths[0])
            return _temporary_file(state, paths[0])
        if kind is Kind.DELETE and call.error in ("ENOENT", "ENOTDIR") and _temporary(paths[0]):
            return []
        why = f": {call.error}" if call.error else ""
        return [Seen(place_kind(paths[-1], kind), f"{call.name} {' '.join(paths)}{why}")]

    return judge


def _changes_file(state: _Reading, call: Call) -> list[Seen]:
    path = tracing.path(_argument(call, 0))
    if path is None or not path.startswith("/") or path.startswith("/memfd:") or path in state.own:
        return []
    if path in _DEVICES or _lock_of_index(path) or _temporary(path):
        return []
    return [Seen(place_kind(path, Kind.WRITE), f"{call.name} {path}")]


def _sends_signal(state: _Reading, call: Call) -> list[Seen]:
    target, number = _argument(call, 0), _argument(call, 2 if call.name == "tgkill" else 1)
    if number == "0" or target.split(" ")[0].removeprefix("-") in {"0", *map(str, state.processes)}:
        return []
    return [Seen(Kind.PROCESS, f"{call.name} {target} {number}")]


def _changes_process(position: int, nothing: str | None = None) -> _Judge:
    """`nothing` is the value of the argument after it with which the call only asks."""

    def judge(state: _Reading, call: Call) -> list[Seen]:
        target = _argument(call, position)
        if target in {"0", *map(str, state.processes)} or _argument(call, position + 2) == nothing:
            return []
        return [Seen(Kind.PROCESS, f"{call.name} {target}")]

    return judge


def _always(kind: Kind) -> _Judge:
    def judge(_: _Reading, call: Call) -> list[Seen]:
        return [Seen(kind, f"{call.name}({', '.join(call.arguments)[:80]}) = {call.result}")]

    return judge


def _reads_with(*marks: str) -> _Judge:
    """A call that changes the system unless one of these stands in its arguments."""

    def judge(state: _Reading, call: Call) -> list[Seen]:
        shown = ", ".join(call.arguments)
        return [] if any(mark in shown for mark in marks) else _always(Kind.SYSTEM)(state, call)

    return judge


def _changes_with(*marks: str) -> _Judge:
    """A call that changes the system only if one of these stands in its arguments."""

    def judge(state: _Reading, call: Call) -> list[Seen]:
        shown = ", ".join(call.arguments)
        return _always(Kind.SYSTEM)(state, call) if any(mark in shown for mark in marks) else []

    return judge


def _talks(state: _Reading, call: Call) -> list[Seen]:
    shown = ", ".join(call.arguments[1:])
    if "sa_family=AF_INET" in shown:
        return [Seen(Kind.NET_READ, f"{call.name} {_address(shown)}")]
    if "sa_family=AF_UNIX" in shown:
        path = shown.partition("sun_path=")[2].partition("}")[0].strip('"@')
        if "nscd" in path:
            return []
        if "/dev/log" in path or "journal" in path:
            return [Seen(Kind.WRITE, f"writes to the log at {path}")]
        return [Seen(None, f"speaks with the local socket {path}")]
    if "nlmsg_type=" in shown:
        message = shown.partition("nlmsg_type=")[2].partition(",")[0]
        if message.startswith(("RTM_NEW", "RTM_DEL", "RTM_SET", "NFT_MSG_NEW", "NFT_MSG_DEL", "AUDIT_SET", "AUDIT_USER")):
            return [Seen(Kind.SYSTEM, f"{call.name} {message}")]
    return []


def _address(shown: str) -> str:
    return shown.partition("sin")[2].partition("}")[0].removeprefix("6").removeprefix("_")[:80]


def _listens(_: _Reading, call: Call) -> list[Seen]:
    shown = ", ".join(call.arguments[1:])
    return [Seen(Kind.NET_WRITE, f"bind {_address(shown)}")] if "sa_family=AF_INET" in shown else []


def _runs(state: _Reading, call: Call) -> list[Seen]:
    if call.error:
        return []
    given = state.path(call, 1 if call.name == "execveat" else 0, at=call.name == "execveat")
    if given.startswith(WRITABLE):
        return [Seen(Kind.EXEC, f"ran {given}")]
    return []



_SETTING_IOCTLS = (
    "FS_IOC_SETFLAGS", "FS_IOC_FSSETXATTR", "SIOCS", "SIOCADDRT", "SIOCDELRT", "SIOCDIFADDR", "RTC_SET_TIME",
    "RTC_WKALM_SET", "TIOCSTI", "TIOCLINUX", "TIOCCONS", "BLKRRPART", "BLKDISCARD", "BLKROSET", "BLKPG", "VT_ACTIVATE",
    "KDSETMODE", "KDSKBMODE", "KDSETLED", "KIOCSOUND", "LOOP_SET", "LOOP_CLR", "LOOP_CTL", "TUNSETIFF", "EVIOCS",
)  # fmt: skip
_JUDGES: dict[str, _Judge] = {
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
    **dict.fromkeys(("kill", "tkill", "tgkill", "rt_sigqueueinfo"), _sends_signal),
    "pidfd_send_signal": _always(Kind.PROCESS),
    "setpriority": _changes_process(1),
    "ioprio_set": _changes_process(1),
    "sched_setaffinity": _changes_process(0),
    "sched_setscheduler": _changes_process(0),
    "sched_setparam": _changes_process(0),
    "sched_setattr": _changes_process(0),
    "prlimit64": _changes_process(0, "NULL"),
    "process_vm_writev": _always(Kind.PROCESS),
    **dict.fromkeys(("execve", "execveat"), _runs),
    "mmap": _maps,
    **dict.fromkeys(("connect", "sendto", "sendmsg", "sendmmsg"), _talks),
    "bind": _listens,
    "ioctl": _changes_with(*_SETTING_IOCTLS),
    "syslog": _changes_with("CLEAR", "CONSOLE"),
    "adjtimex": _reads_with("modes=0"),
    "clock_adjtime": _reads_with("modes=0"),
    "shmget": _changes_with("IPC_CREAT"),
    "semget": _changes_with("IPC_CREAT"),
    "msgget": _changes_with("IPC_CREAT"),
    "mq_open": _changes_with("O_CREAT"),
    **dict.fromkeys(("shmctl", "semctl", "msgctl"), _changes_with("IPC_RMID", "IPC_SET", "SETVAL", "SETALL", "LOCK")),
    **dict.fromkeys(
        ("settimeofday", "clock_settime", "stime", "sethostname", "setdomainname", "mount", "umount2", "pivot_root",
         "move_mount", "fsmount", "mount_setattr", "open_tree", "swapon", "swapoff", "reboot", "init_module",
         "finit_module", "delete_module", "kexec_load", "kexec_file_load", "iopl", "ioperm", "bpf", "perf_event_open",
         "add_key", "mq_unlink", "acct", "quotactl", "setns", "chroot", "fanotify_init", "unshare"),
        _always(Kind.SYSTEM),
    ),
}  # fmt: skip
TRACED = tuple(_JUDGES)
"""The calls that a trace needs to have; process ends are in every trace."""
