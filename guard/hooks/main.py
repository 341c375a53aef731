"""`devkit-guard hook`: standard input → verdict → standard output. Every way out of here is a chosen one.

An exception, a signal to stop, a slow or broken input end in the runtime's own veto while the guard enforces, and in
silence where it only observes. No traceback reaches the runtime; no exit code means something by accident.
"""

from __future__ import annotations

import os
import select
import sys
import time

from guard.hooks import base, reply
from guard.hooks.base import Answer, MalformedError
from guard.hooks.runtimes import AGENTS, adapter
from guard.model.errors import UsageError

MODES = ("step", "always", "observe")
INPUT_SECONDS = 5.0
"""Longest wait for the next bytes of the payload."""
TOTAL_SECONDS = 8.0
"""After this the answer is a veto, whatever is still going on (runtimes wait for about ten seconds)."""
FAILED_SECONDS = 1.5
"""Longest look for open steps after a fault."""
LOG_SECONDS = 0.5
"""The answer is out by then; a log on a disk that hangs is given up after this."""

USAGE = """usage: devkit-guard hook --agent NAME [--mode step|always|observe]

Reads one event as JSON on standard input and answers it in the runtime's own form.
  --agent NAME       the runtime: {agents}; auto tells them apart by their payloads
  --mode MODE        step: veto what the open step of a workflow does not grant (default)
                     always: also veto every shell call that does more than read
                     observe: never veto, say on standard error what `always` would have vetoed
                     (also by the environment variable DEVKIT_GUARD_MODE, or `mode` in the configuration file)
  --on-veto ANSWER   deny (default), or ask: hand vetoes of mode always to the user, where the runtime can
"""


def main(arguments: list[str]) -> int:
    """Answers one event; the exit code. Usage errors never exit with 2: runtimes read that as a veto of every call."""
    began = time.perf_counter()
    try:
        options = parse(arguments, os.environ.get("DEVKIT_GUARD_MODE"))
    except UsageError as error:
        return _misused(arguments, error)
    if options is None:
        _write(1, USAGE.format(agents=", ".join(AGENTS)).encode())
        return 0
    job = reply.Reply(options, os.environ)
    last = job.adapter.veto(base.TOOL, "devkit-guard: the guard failed and could not say how, so this call is vetoed.")
    answer = last
    try:
        _arm(TOTAL_SECONDS)
        job.read(_standard_input())
        answer = job.answered()
        _disarm()
    except BaseException as error:
        answer = _failed(job, error, last)
    code = _deliver(answer, vetoes=job.vetoes)
    try:
        _arm(LOG_SECONDS)
        job.record(time.perf_counter() - began)
        _disarm()
    except BaseException:
        return code
    return code


def _failed(job: reply.Reply, error: BaseException, last: Answer) -> Answer:
    """The answer after a fault; `last`, which was made while all was well, after a second one (no memory, say)."""
    try:
        _arm(FAILED_SECONDS)
        answer = job.failed(error)
        _disarm()
    except BaseException:
        return last
    return answer


def parse(arguments: list[str], variable: str | None) -> reply.Options | None:
    """Options of the command line, None for --help. Raises UsageError."""
    values: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in ("-h", "--help"):
            return None
        key, equals, value = word.partition("=")
        if key not in ("--agent", "--mode", "--on-veto"):
            raise UsageError(f"unknown argument '{word}': expected --agent NAME, --mode MODE or --on-veto ANSWER")
        if not equals:
            if not rest:
                raise UsageError(f"{key} needs a value")
            value = rest.pop(0)
        values[key] = value
    agent = values.get("--agent")
    if agent not in AGENTS:
        raise UsageError(f"--agent: expected one of {', '.join(AGENTS)} (got {agent or 'nothing'})")
    mode = values.get("--mode") or variable or None
    fault = ""
    if mode is not None and mode not in MODES:
        # As for a file of settings that is wrong: who asked for more than the default must not get less.
        source = "--mode" if values.get("--mode") else "DEVKIT_GUARD_MODE"
        mode, fault = "always", f"{source}: expected one of {', '.join(MODES)} (got '{mode}')"
    return reply.Options(agent, mode, _one_of("--on-veto", values.get("--on-veto"), ("deny", "ask")), fault)


def _one_of(option: str, value: str | None, choices: tuple[str, ...]) -> str | None:
    if value is not None and value not in choices:
        raise UsageError(f"{option}: expected one of {', '.join(choices)} (got '{value}')")
    return value


def _misused(arguments: list[str], error: UsageError) -> int:
    """The exit code of a wrong registration: a veto on standard output while a step is open, else only a message."""
    agent = next((arguments[at + 1] for at, word in enumerate(arguments[:-1]) if word == "--agent"), "")
    agent = next((word[8:] for word in arguments if word.startswith("--agent=")), agent)
    message = f"devkit-guard hook: {error}"
    if agent not in AGENTS:
        _write(2, message.encode("utf-8", "backslashreplace") + b"\n")
        return 1
    speaking = adapter(agent)
    if reply.anybody_bound():
        _write(1, speaking.veto(base.TOOL, message).stdout)
    _write(2, message.encode("utf-8", "backslashreplace") + b"\n")
    return speaking.failure


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


def _arm(seconds: float) -> None:
    """Turns a request to stop, and running out of time, into an exception and so into an answer."""
    from _signal import ITIMER_REAL, SIGALRM, SIGHUP, SIGINT, SIGTERM, setitimer, signal

    def stop(number: int, _: object) -> None:
        raise MalformedError("the guard ran out of time" if number == SIGALRM else "the guard was told to stop")

    for number in (SIGTERM, SIGHUP, SIGINT, SIGALRM):
        signal(number, stop)
    setitimer(ITIMER_REAL, seconds)


def _disarm() -> None:
    """From here on nothing interrupts: what is written is written whole."""
    from _signal import ITIMER_REAL, SIG_IGN, SIGALRM, SIGHUP, SIGINT, SIGTERM, setitimer, signal

    setitimer(ITIMER_REAL, 0)
    for number in (SIGTERM, SIGHUP, SIGINT, SIGALRM):
        signal(number, SIG_IGN)


def _deliver(answer: Answer, *, vetoes: bool) -> int:
    """Writes the answer whole. If standard output is gone, a veto still stands by exit code 2 and its reason.

    That is so for runtimes too that want the code 0: without the JSON, 0 would let the call run for certain.
    """
    if answer.stdout and not _write(1, answer.stdout) and vetoes:
        _write(2, answer.stderr or b"devkit-guard: standard output is closed, so this call is vetoed\n")
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
