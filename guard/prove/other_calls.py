"""Observations of calls that reach other processes, the network, the kernel and local daemons."""

from __future__ import annotations

from guard.model.effect import Kind
from guard.prove.file_calls import makes_socket
from guard.prove.seen import Judge, Reading, Seen, argument, makes_object, removes_object
from guard.prove.trace import Call

_CHANGING_MESSAGES = ("RTM_NEW", "RTM_DEL", "RTM_SET", "NFT_MSG_NEW", "NFT_MSG_DEL", "AUDIT_SET", "AUDIT_USER")
_LOOPBACK = ('"127.', '"::1"')
_SETTING_IOCTLS = (
    "FS_IOC_SETFLAGS", "FS_IOC_FSSETXATTR", "SIOCS", "SIOCADDRT", "SIOCDELRT", "SIOCDIFADDR", "RTC_SET_TIME",
    "RTC_WKALM_SET", "TIOCSTI", "TIOCLINUX", "TIOCCONS", "BLKRRPART", "BLKDISCARD,", "BLKROSET", "BLKPG", "VT_ACTIVATE",
    "KDSETMODE", "KDSKBMODE", "KDSETLED", "KIOCSOUND", "LOOP_SET", "LOOP_CLR", "LOOP_CTL", "TUNSETIFF", "EVIOCS",
)  # fmt: skip


def _sends_signal(state: Reading, call: Call) -> list[Seen]:
    target, number = argument(call, 0), argument(call, 2 if call.name == "tgkill" else 1)
    if number == "0" or target.split(" ")[0].removeprefix("-") in {"0"} | state.processes:
        return []
    return [Seen(Kind.PROCESS, f"{call.name} {target} {number}")]


def _changes_process(position: int, nothing: str | None = None) -> Judge:
    """`nothing` is the value of the argument two after it with which the call only asks."""

    def judge(state: Reading, call: Call) -> list[Seen]:
        target = argument(call, position)
        if target in {"0"} | state.processes or argument(call, position + 2) == nothing:
            return []
        return [Seen(Kind.PROCESS, f"{call.name} {target}")]

    return judge


def _always(kind: Kind) -> Judge:
    def judge(_: Reading, call: Call) -> list[Seen]:
        return [Seen(kind, f"{call.name}({', '.join(call.arguments)[:80]}) = {call.result}")]

    return judge


def _reads_with(mark: str) -> Judge:
    """A call that changes the system unless this stands in its arguments."""

    def judge(state: Reading, call: Call) -> list[Seen]:
        return [] if mark in ", ".join(call.arguments) else _always(Kind.SYSTEM)(state, call)

    return judge


def _changes_with(*marks: str) -> Judge:
    """A call that changes the system only if one of these stands in its arguments."""

    def judge(state: Reading, call: Call) -> list[Seen]:
        shown = ", ".join(call.arguments)
        return _always(Kind.SYSTEM)(state, call) if any(mark in shown for mark in marks) else []

    return judge


def _makes_object(state: Reading, call: Call) -> list[Seen]:
    """A System V object: one that the command made for itself alone and removes again is a temporary of its own."""
    if not makes_object(call):
        return []
    if (call.name[:3], call.result) in state.own_objects:
        return [Seen(Kind.CACHE, "used a temporary of its own")]
    return _always(Kind.SYSTEM)(state, call)


def _controls_object(state: Reading, call: Call) -> list[Seen]:
    if removes_object(call) and (call.name[:3], argument(call, 0)) in state.own_objects:
        return []
    return _changes_with("IPC_RMID", "IPC_SET", "SETVAL", "SETALL", "LOCK")(state, call)


def _talks(_: Reading, call: Call) -> list[Seen]:
    shown = ", ".join(call.arguments[1:])
    datagram = argument(call, 0).partition("<")[2].startswith("UDP")
    if "sa_family=AF_INET" in shown:
        if datagram and call.name == "connect" and any(mark in shown for mark in _LOOPBACK):
            return [Seen(None, "asked how this machine would reach itself")]
        return [Seen(Kind.NET_READ, f"{call.name} {_address(shown)}")]
    if datagram and call.name != "connect":
        return [Seen(Kind.NET_READ, f"{call.name} {argument(call, 0)[:60]}")]
    if "sa_family=AF_UNIX" in shown:
        return _daemon(shown.partition("sun_path=")[2].partition("}")[0].strip('"@'))
    if "nlmsg_type=" in shown and not ("RTM_NEWLINK" in shown and "nlmsg_len=32," in shown):
        # a new link without a single attribute is how `ip` asks whether the kernel knows this message
        message = shown.partition("nlmsg_type=")[2].partition(",")[0]
        if message.startswith(_CHANGING_MESSAGES):
            return [Seen(Kind.SYSTEM, f"{call.name} {message}")]
    return []


def _daemon(path: str) -> list[Seen]:
    if "nscd" in path:
        return []
    if "/dev/log" in path or "journal" in path:
        return [Seen(None, f"writes a line to the system's log at {path}")]
    return [Seen(None, f"speaks with the local socket {path}")]


def _address(shown: str) -> str:
    return shown.partition("sin")[2].partition("}")[0].removeprefix("6").removeprefix("_")[:80]


def _listens(state: Reading, call: Call) -> list[Seen]:
    shown = ", ".join(call.arguments[1:])
    if "sa_family=AF_UNIX" in shown:
        return makes_socket(state, call)
    if "sa_family=AF_INET" not in shown:
        return []
    if "port=htons(0)" in shown and any(mark in shown for mark in _LOOPBACK):
        return [Seen(None, "asked whether this machine has the address family")]
    return [Seen(Kind.NET_WRITE, f"bind {_address(shown)}")]


JUDGES: dict[str, Judge] = {
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
    **dict.fromkeys(("connect", "sendto", "sendmsg", "sendmmsg"), _talks),
    "bind": _listens,
    "ioctl": _changes_with(*_SETTING_IOCTLS),
    "syslog": _changes_with("CLEAR", "CONSOLE"),
    "adjtimex": _reads_with("modes=0"),
    "clock_adjtime": _reads_with("modes=0"),
    **dict.fromkeys(("shmget", "semget", "msgget"), _makes_object),
    "mq_open": _changes_with("O_CREAT"),
    **dict.fromkeys(("shmctl", "semctl", "msgctl"), _controls_object),
    **dict.fromkeys(
        ("settimeofday", "clock_settime", "stime", "sethostname", "setdomainname", "mount", "umount2", "pivot_root",
         "move_mount", "fsmount", "mount_setattr", "open_tree", "swapon", "swapoff", "reboot", "init_module",
         "finit_module", "delete_module", "kexec_load", "kexec_file_load", "iopl", "ioperm", "bpf", "perf_event_open",
         "add_key", "mq_unlink", "acct", "quotactl", "setns", "chroot", "fanotify_init", "unshare"),
        _always(Kind.SYSTEM),
    ),
}  # fmt: skip
