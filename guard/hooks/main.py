"""`devkit-guard hook`: standard input → verdict → standard output. Every way out of here is a chosen one.

An exception, a signal to stop, a slow or broken input end in the runtime's own veto while the guard enforces, and in
silence where it only observes. No traceback reaches the runtime; no exit code means something by accident.
"""

from __future__ import annotations

import os
import select
import sys

from guard.hooks import base
from guard.hooks.base import Answer, MalformedError
from guard.model.errors import GuardError, StoreError, UsageError
from guard.model.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from guard.hooks.base import Adapter

MODES = ("step", "always", "observe")
AGENTS = {"claude": "guard.hooks.claude"}
INPUT_SECONDS = 5.0
"""Longest wait for the next bytes of the payload."""
TOTAL_SECONDS = 8.0
"""After this the answer is a veto, whatever is still going on (runtimes wait for about ten seconds)."""


class Options(NamedTuple):
    """What the registration says."""

    agent: str
    mode: str


def main(arguments: list[str]) -> int:
    """Answers one call; the exit code. Usage errors exit with 1: runtimes read 2 as a veto of every call."""
    try:
        options = parse(arguments, os.environ.get("DEVKIT_GUARD_MODE"))
    except UsageError as error:
        _write(2, f"devkit-guard hook: {error}\n".encode("utf-8", "backslashreplace"))
        return 1
    if options is None:
        _write(1, USAGE.encode())
        return 0
    adapter = _adapter(options.agent)
    try:
        _arm()
        answer = answered(adapter, _standard_input(), options)
    except StoreError as error:
        answer = _refused(adapter, options, f"devkit-guard: {error}")
    except MalformedError as error:
        answer = _failed(adapter, options, f"{error}. Nothing was run; this is the guard's answer, not a crash.")
    except BaseException as error:
        what = f"{type(error).__name__}: {error}" if not isinstance(error, GuardError) else str(error)
        answer = _failed(adapter, options, f"the guard failed ({what}); `devkit-guard classify` shows more.")
    return _deliver(adapter, answer)


USAGE = """usage: devkit-guard hook --agent NAME [--mode step|always|observe]

Reads one tool call as JSON on standard input and answers it in the runtime's own form.
  --agent NAME   the runtime: claude
  --mode MODE    step: veto what the open step of a workflow does not grant (default)
                 always: also veto every shell call that does more than read
                 observe: never veto, say on standard error what `always` would have vetoed
                 (also by the environment variable DEVKIT_GUARD_MODE)
"""


def parse(arguments: list[str], variable: str | None) -> Options | None:
    """Options of the command line, None for --help. Raises UsageError."""
    values: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in ("-h", "--help"):
            return None
        key, equals, value = word.partition("=")
        if key not in ("--agent", "--mode"):
            raise UsageError(f"unknown argument '{word}': expected --agent NAME or --mode MODE")
        if not equals:
            if not rest:
                raise UsageError(f"{key} needs a value")
            value = rest.pop(0)
        values[key] = value
    agent = values.get("--agent")
    mode = values.get("--mode") or variable or "step"
    if agent not in AGENTS:
        raise UsageError(f"--agent: expected one of {', '.join(AGENTS)} (got {agent or 'nothing'})")
    if mode not in MODES:
        raise UsageError(f"--mode: expected one of {', '.join(MODES)} (got '{mode}')")
    return Options(agent, mode)


def _adapter(agent: str) -> Adapter:
    from importlib import import_module

    adapter: Adapter = import_module(AGENTS[agent])
    return adapter


def answered(adapter: Adapter, raw: bytes, options: Options) -> Answer:
    """The answer to one payload. Raises MalformedError."""
    call = adapter.decode(base.payload(raw))
    if isinstance(call, base.Skip):
        return Answer(b"", b"", 0)
    from guard import gate

    opinion = gate.opinion(call, always=options.mode != "step")
    if opinion.veto is not None:
        return _refused(adapter, options, opinion.veto)
    return adapter.allow() if opinion.reminder is None else adapter.remind(opinion.reminder)


def _refused(adapter: Adapter, options: Options, reason: str) -> Answer:
    if options.mode == "observe":
        return Answer(b"", f"devkit-guard would veto: {reason}\n".encode("utf-8", "backslashreplace"), 0)
    return adapter.veto(reason)


def _failed(adapter: Adapter, options: Options, reason: str) -> Answer:
    """The answer where the call itself could not be judged: a veto while anything binds, otherwise silence."""
    if options.mode == "step":
        from guard import gate

        try:
            if not gate.bound_anywhere():
                return Answer(b"", f"devkit-guard: {reason}\n".encode("utf-8", "backslashreplace"), 0)
        except BaseException as error:
            reason = f"{reason} The state of workflows cannot be read either: {error}"
    return _refused(adapter, options, f"devkit-guard: {reason}")


def _standard_input() -> bytes:
    """All of standard input, up to one byte over the limit. Raises MalformedError if it stalls."""
    found = bytearray()
    try:
        while len(found) <= base.MAX_BYTES:
            ready, _, _ = select.select([0], [], [], INPUT_SECONDS)
            if not ready:
                raise MalformedError(f"standard input did not end within {INPUT_SECONDS:.0f} seconds")
            chunk = os.read(0, 1 << 20)
            if not chunk:
                break
            found += chunk
    except (ValueError, OSError) as error:
        raise MalformedError(f"standard input cannot be read: {error}") from error
    return bytes(found)


def _arm() -> None:
    """Turns a request to stop, and running out of time, into an exception and so into an answer."""
    from _signal import ITIMER_REAL, SIGALRM, SIGHUP, SIGINT, SIGTERM, setitimer, signal

    def stop(number: int, _: object) -> None:
        raise MalformedError("the guard ran out of time" if number == SIGALRM else "the guard was told to stop")

    for number in (SIGTERM, SIGHUP, SIGINT, SIGALRM):
        signal(number, stop)
    setitimer(ITIMER_REAL, TOTAL_SECONDS)


def _deliver(adapter: Adapter, answer: Answer) -> int:
    """Writes the answer whole. If standard output is gone, a veto still stands by exit code 2 and its reason."""
    if answer.stdout and not _write(1, answer.stdout):
        _write(2, answer.stderr or b"devkit-guard: standard output is closed\n")
        return 2
    if answer.stderr:
        _write(2, answer.stderr)
    return answer.code


def _write(descriptor: int, content: bytes) -> bool:
    try:
        while content:
            content = content[os.write(descriptor, content) :]
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
