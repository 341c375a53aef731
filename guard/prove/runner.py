"""Runs jobs in sandboxes, a base for each user and processor, and hands the results on as they come."""

from __future__ import annotations

import json
import os
import select
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import BinaryIO, NamedTuple, TextIO

from guard.model.errors import GuardError
from guard.prove import kernel
from guard.prove.sandbox import Base, mount_point
from guard.prove.states import Job, Result, result_of


class CannotRunError(GuardError):
    """The sandbox is not possible here; the message says what is missing."""


class _Worker(NamedTuple):
    process: int
    output: BinaryIO


def missing() -> str | None:
    """What this system lacks for a sandbox at first sight, or None."""
    if not kernel.supported():
        return "namespaces: this is not Linux"
    tools = [name for name in ("strace", "git", "bash") if shutil.which(name) is None]
    return f"{', '.join(tools)}: install it and run this again" if tools else None


def run(jobs: Sequence[Job], secret: Callable[[str], bool], workers: int | None = None) -> Iterator[Result]:
    """The results of the jobs, in no certain order. Raises CannotRunError where there can be no sandbox."""
    lack = missing()
    if lack is not None:
        raise CannotRunError(f"prove cannot run here, it needs {lack}")
    uids = sorted({job.state.uid for job in jobs})
    count = max(1, (workers or os.cpu_count() or 1) // max(1, len(uids)))
    running = {}
    for uid in uids:
        own = [job for job in jobs if job.state.uid == uid]
        for share in range(count):
            part = own[share::count]
            if part:
                worker = _start(part, uid, secret)
                running[worker.output.fileno()] = worker
    try:
        yield from _results(running)
    finally:
        for worker in running.values():
            with suppress(ProcessLookupError):
                os.kill(worker.process, 9)
            os.waitpid(worker.process, 0)


def _results(running: dict[int, _Worker]) -> Iterator[Result]:
    while running:
        for number in select.select(list(running), [], [])[0]:
            worker = running[number]
            line = worker.output.readline()
            if not line:
                worker.output.close()
                del running[number]
                code = os.waitstatus_to_exitcode(os.waitpid(worker.process, 0)[1])
                if code != 0:
                    raise CannotRunError(f"prove cannot run here: a sandbox process ended with {code}")
                continue
            row = json.loads(line)
            if isinstance(row, str):
                raise CannotRunError(f"prove cannot run here, no sandbox could be made: {row}")
            yield result_of(row)


def _start(jobs: list[Job], uid: int, secret: Callable[[str], bool]) -> _Worker:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return _Worker(child, os.fdopen(reading, "rb", buffering=0))
    try:
        os.close(reading)
        kernel.die_with_parent()
        with os.fdopen(writing, "w") as output:
            _work(jobs, uid, secret, output)
    finally:
        os._exit(0)


def _work(jobs: list[Job], uid: int, secret: Callable[[str], bool], output: TextIO) -> None:
    try:
        base = Base(mount_point(), uid, secret)
        base.template(jobs[0].state)
    except OSError as error:
        output.write(json.dumps(error.strerror or str(error)) + "\n")
        return
    for job in jobs:
        try:
            result = base.run(job)
        except OSError as error:
            result = Result(job.number, job.state, fault=str(error))
        output.write(json.dumps(result) + "\n")
        output.flush()
