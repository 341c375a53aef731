"""Runs a command or gate with a time limit, and tells whether the engine process behind an attempt still lives."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Mapping
from typing import BinaryIO

from guard.workflow.engine import Outcome
from guard.workflow.reader import environment_name

KEPT = 64 * 1024
"""Bytes kept of an output, and of each value handed over in the environment: Linux refuses strings from 128 KiB."""
ALL_KEPT = 512 * 1024
GRACE = 2.0


def run(command: str, folder: str, environ: Mapping[str, str], timeout: float) -> Outcome:
    """Runs `command` with /bin/sh in `folder`; its stdout and stderr together, cut to their end.

    At the time limit the whole process group is stopped, so that what the command started does not outlive it.
    """
    try:
        process = subprocess.Popen(
            ["/bin/sh", "-c", command],
            cwd=folder,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return Outcome(None, "", f"no start: {error}")
    kept = bytearray()
    assert process.stdout is not None
    reader = threading.Thread(target=_drain, args=(process.stdout, kept), daemon=True)
    reader.start()
    try:
        code: int | None = process.wait(timeout)
    except subprocess.TimeoutExpired:
        code = None
    reader.join(GRACE if code is not None else 0)
    if code is None or reader.is_alive():
        _stop(process)
        reader.join(GRACE)
    return Outcome(code, bytes(kept).decode("utf-8", "replace"), f"no end within {timeout:g} s" if code is None else "")


def command_environment(environ: Mapping[str, str], text: str, outputs: Mapping[str, str]) -> dict[str, str]:
    """The environment of commands and gates: DEVKIT_INPUT and one DEVKIT_OUT_<STEP> for each output so far."""
    found = {key: value for key, value in environ.items() if not key.startswith("DEVKIT_OUT_")}
    found["DEVKIT_INPUT"] = _short(text, KEPT)
    left = ALL_KEPT
    for step_id, output in reversed(list(outputs.items())):
        value = _short(output, min(KEPT, left))
        left -= len(value.encode())
        found[environment_name(step_id)] = value
    return found


def birth(pid: int) -> str:
    """When a process started, in the kernel's own ticks; empty where that is not known or there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""


def lives(pid: int, born: str) -> bool:
    """Whether the process that had this id and birth is still there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return born == birth(pid)


def _short(text: str, size: int) -> str:
    """At most `size` bytes of text that can stand in an environment."""
    raw = text.replace("\0", "").encode("utf-8", "replace")
    return raw[:size].decode("utf-8", "ignore")


def _drain(stream: BinaryIO, kept: bytearray) -> None:
    with contextlib.suppress(OSError, ValueError):
        while chunk := stream.read1(KEPT) if hasattr(stream, "read1") else stream.read(KEPT):
            kept += chunk
            del kept[:-KEPT]


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends the process group that the command leads, first politely."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
