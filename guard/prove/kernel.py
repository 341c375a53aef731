"""The system calls of Linux that Python 3.11 does not have: namespaces, mounts, capabilities.

Every function raises OSError with the call's name in it. Nothing here is imported where the guard only judges.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2

_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT, _CLEAR_ALL = 1, 24, 38, 47, 4
_LAST_CAP = 63
ROOT_CAPS = frozenset({0, 1, 3, 4, 6, 7})
"""CHOWN, DAC_OVERRIDE, FOWNER, FSETID, SETGID, SETUID: of what containers give root, those that stay in the sandbox."""
_MOUNT_SETATTR, _AT_RECURSIVE, _AT_FDCWD = 442, 0x8000, -100
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "ppc64le": 203, "s390x": 217}


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    """Leaves the namespaces of `flags` for new ones."""
    _checked(_libc().unshare(flags), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """mount(2)."""
    encoded = [None if text is None else text.encode() for text in (kind, data)]
    result = _libc().mount(source.encode(), target.encode(), encoded[0], ctypes.c_ulong(flags), encoded[1])
    _checked(result, f"mount {kind or source} on {target}")


def detach(target: str) -> None:
    """Takes a mount and all below it out of this namespace."""
    _checked(_libc().umount2(target.encode(), MNT_DETACH), f"umount {target}")


def read_only(target: str) -> None:
    """Makes a mount and every mount below it read-only (Linux 5.12)."""
    attributes = (ctypes.c_uint64 * 4)(MS_RDONLY, 0, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    path = ctypes.c_char_p(target.encode())
    _checked(_libc().syscall(_MOUNT_SETATTR, _AT_FDCWD, path, _AT_RECURSIVE, attributes, size), "mount_setattr")


def pivot(root: str) -> None:
    """Makes `root` the root of this mount namespace and forgets the old one, so there is no way back to it."""
    os.chdir(root)
    number = _PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(0, f"pivot_root: its number on {os.uname().machine} is not known here")
    here = ctypes.c_char_p(b".")
    _checked(_libc().syscall(number, here, here), "pivot_root")
    detach(".")
    os.chdir("/")


def die_with_parent() -> None:
    """The kernel kills this process when its parent ends."""
    _checked(_libc().prctl(_PR_SET_PDEATHSIG, 9, 0, 0, 0), "prctl")


def become(uid: int, *, mapped: bool) -> None:
    """Turns this process into user `uid` for good: ROOT_CAPS for root, none for others, and no way to gain any.

    `mapped`: other users than the caller exist in this user namespace.
    """
    libc = _libc()
    keep = ROOT_CAPS if uid == 0 else frozenset()
    for cap in range(_LAST_CAP + 1):
        if cap not in keep:
            libc.prctl(_PR_CAPBSET_DROP, cap, 0, 0, 0)  # fails for numbers that this kernel does not have
    if mapped:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    libc.prctl(_PR_CAP_AMBIENT, _CLEAR_ALL, 0, 0, 0)
    bits = sum(1 << cap for cap in keep)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)(bits, bits, 0, 0, 0, 0)
    _checked(libc.capset(header, data), "capset")
    _checked(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")


def limit(seconds: int) -> None:
    """Bounds of processor time, file size, processes, open files; no core files."""
    bounds = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 64 << 20,
        resource.RLIMIT_NPROC: 1024,
        resource.RLIMIT_NOFILE: 1024,
        resource.RLIMIT_CORE: 0,
    }
    for name, bound in bounds.items():
        hard = resource.getrlimit(name)[1]
        value = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(name, (value, value))


def supported() -> bool:
    """Whether this system could have what this module calls."""
    return sys.platform == "linux"
