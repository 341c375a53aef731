"""Writing that is whole or not at all: the few system calls that the file store is made of.

Every call goes through the `os` module by name, so that a test can end the process at each of them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

LOCK_TIMEOUT = 10.0
"""Seconds to wait for a lock. They are held for a few writes; longer means that a holder was stopped."""


class LockTimeoutError(Exception):
    """The lock was not free in time."""


@contextlib.contextmanager
def locked(descriptor: int, *, shared: bool = False) -> Iterator[None]:
    """An advisory lock on an open file, ended with the process whatever happens to it."""
    deadline, pause = time.monotonic() + LOCK_TIMEOUT, 0.001
    while True:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise LockTimeoutError from None
            time.sleep(pause)
            pause = min(pause * 2, 0.05)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def write_new(path: str, data: bytes, *, mode: int = 0o644) -> None:
    """A new file with its content on disk. FileExistsError where there is one."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        write_all(descriptor, data)
        os.fsync(descriptor)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """All of `data`: one `write` unless the system takes less."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def append(descriptor: int, data: bytes) -> None:
    """`data` at the end of a file that the caller has locked; on failure the file is as before."""
    size = os.fstat(descriptor).st_size
    try:
        write_all(descriptor, data)
        os.fsync(descriptor)
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
            os.fsync(descriptor)
        raise


def sync_folder(path: str) -> None:
    """Names in a folder on disk, too."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_all(descriptor: int) -> bytes:
    """The whole file from its start."""
    size, offset, parts = os.fstat(descriptor).st_size, 0, []
    while offset < size:
        part = os.pread(descriptor, size - offset, offset)
        if not part:
            break
        parts.append(part)
        offset += len(part)
    return b"".join(parts)


def remove(path: str) -> None:
    """Remove a file that may be gone already."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
