"""`devkit-guard classify`: one command for a person or a program, or a stream of them."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from guard import judge, report
from guard.classify import Place
from guard.cli import terminal
from guard.model.effect import Kind, Reason
from guard.model.errors import UsageError
from guard.model.grant import Grant
from guard.model.syntax import Script, Span
from guard.model.verdict import Decision, Verdict
from guard.rulebook import Rulebook
from guard.shell import read

MAX_LINE = 16 << 20
"""Longest line of a batch, in bytes; a longer one is vetoed as a whole."""


def grant(kinds: str) -> Grant:
    """The grant named by `--grant`. Raises UsageError for a kind that does not exist or is never granted."""
    names = [name.strip() for name in kinds.split(",") if name.strip()]
    allowed = [kind.value for kind in Kind if kind is not Kind.OPAQUE]
    for name in names:
        if name not in allowed:
            raise UsageError(f"--grant: unknown effect '{name}': expected some of {','.join(allowed)}")
    return Grant(frozenset(Kind(name) for name in names))


def directory(path: str | None) -> str | None:
    """The absolute working directory. Raises UsageError for one that is not there."""
    if path is None:
        try:
            return os.getcwd()
        except OSError:
            return None
    if not os.path.isdir(path):
        raise UsageError(f"--cwd: no such directory: {path}")
    return os.path.abspath(path)


def home() -> str | None:
    """The home directory by the environment, None where it names none."""
    found = os.environ.get("HOME", "")
    return found if os.path.isabs(found) else None


def standard_input() -> str:
    """The whole standard input as a command. Raises UsageError if it is not text."""
    raw = sys.stdin.buffer.read(MAX_LINE + 1)
    try:
        return raw.decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError as error:
        raise UsageError(f"standard input is not valid UTF-8 (byte {error.start})") from error


def one(command: str, granted: Grant, cwd: str | None, *, as_json: bool, tree: bool, plain: bool) -> int:
    """Judges one command and prints the verdict; the exit code."""
    verdict = judge.command(command, Place(cwd, home()), granted, judge.rules_at(cwd))
    if as_json:
        print(json.dumps({"command": command, **report.record(verdict)}))
    else:
        lines = report.explained(verdict, command)
        if tree:
            lines += _tree(command, verdict)
        terminal.show(lines, plain=plain)
    return 0 if verdict.decision is Decision.ALLOW else 1


def _tree(command: str, verdict: Verdict) -> list[tuple[str, str]]:
    lines = [("note", ""), ("note", "effects:")]
    for effect in verdict.effects:
        part = report.visible(command[effect.reason.span.start : effect.reason.span.end])
        target = f" -> {report.visible(effect.target)}" if effect.target else ""
        lines.append(("note", f"  {effect.kind.value:12} {part[:60]}{target}: {effect.reason.message}"))
    script = read(command)
    lines.append(("note", "tree:"))
    if isinstance(script, Script):
        lines += [("note", "  " + line) for line in report.outline(script)]
    else:
        lines.append(("note", f"  not readable: {script.message}"))
    return lines


def batch(granted: Grant, cwd: str | None) -> int:
    """Judges a stream of JSON lines, one answer line for each line, in the same order; always 0."""
    gc.set_threshold(100_000)  # syntax trees have no cycles: looking for some is a tenth of the time
    book, place = judge.rules_at(cwd), Place(cwd, home())
    write = sys.stdout.write
    for raw in _lines():
        write(json.dumps(_answer(raw, granted, place, book)) + "\n")
    sys.stdout.flush()
    return 0


def _lines() -> Iterator[bytes]:
    """Lines of the standard input, cut at MAX_LINE (the rest of a longer one is skipped)."""
    source = sys.stdin.buffer
    while raw := source.readline(MAX_LINE):
        if len(raw) == MAX_LINE and not raw.endswith(b"\n"):
            while (more := source.readline(MAX_LINE)) and not more.endswith(b"\n"):
                pass
        if raw.strip():
            yield raw


def _answer(raw: bytes, granted: Grant, place: Place, book: Rulebook) -> dict[str, Any]:
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError):
        return _bad({}, "not a line of valid JSON")
    if not isinstance(row, dict):
        return _bad({}, "not a JSON object")
    command, cwd = row.get("command"), row.get("cwd", place.cwd)
    if not isinstance(command, str):
        return _bad(row, "no text under the key 'command'")
    if cwd is not None and (not isinstance(cwd, str) or not os.path.isabs(cwd)):
        return _bad(row, "the value of 'cwd' is not an absolute path")
    return {**row, **report.record(judge.command(command, Place(cwd, place.home), granted, book))}


def _bad(row: dict[str, Any], message: str) -> dict[str, Any]:
    reason = Reason("bad-input", message, Span(0, 0))
    return {**row, **report.record(Verdict(Decision.VETO, (), (reason,)))}
