"""Calls and words for the tables of this folder; `$` in a word stands for a hole, a leading `*` makes it many."""

from __future__ import annotations

from guard.model.argument import Argument, Assigns, Hole, Outcome, ReadsPath, RunsArgv, RunsShell, Text, WritesPath
from guard.model.effect import Effect
from guard.model.invocation import Given, Invocation
from guard.model.syntax import Span

NOWHERE = Span(0, 0)


def word(text: str, domain: str = "any") -> Argument:
    """`a$b` is a, a hole, b; `*…` may become several words."""
    text = text.replace("''", "").replace("·", " ")
    many = text.startswith("*") and "$" in text
    parts = text.removeprefix("*" if many else "").split("$")
    pieces: list[Text | Hole] = [Text(parts[0], [0] * len(parts[0]))] if parts[0] or len(parts) == 1 else []
    for part in parts[1:]:
        pieces.append(Hole(domain, NOWHERE))
        if part:
            pieces.append(Text(part, [0] * len(part)))
    return Argument(tuple(pieces), NOWHERE, many)


def call(
    program: str, line: str = "", options: tuple[tuple[str, str | None], ...] = (), stdin: str | None = None
) -> Invocation:
    """An invocation whose operands are the blank-separated words of `line` (`''` is the empty word)."""
    return Invocation(
        program,
        (),
        tuple(
            Given(name, None if value is None else word(value.replace("''", "")), NOWHERE) for name, value in options
        ),
        tuple(word(text) for text in line.split()),
        None,
        NOWHERE,
        "rule",
        None if stdin is None else word(stdin),
    )


def shown(argument: Argument | None) -> str:
    """The inverse of `word`."""
    if argument is None:
        return "-"
    text = "".join(piece.text if isinstance(piece, Text) else "$" for piece in argument.pieces)
    return ("*" if argument.many else "") + text


def summary(outcomes: list[Outcome]) -> list[str]:
    """One line for each outcome, paths that are only read left out."""
    return [line for line in map(_line, outcomes) if line]


def _line(outcome: Outcome) -> str:
    if isinstance(outcome, Effect):
        return f"{outcome.kind.value} {outcome.reason.code}"
    if isinstance(outcome, RunsShell):
        return "shell " + " | ".join(map(shown, (outcome.text, *outcome.parameters)))
    if isinstance(outcome, RunsArgv):
        setting = "".join(f"{name}={shown(value)} " for name, value in outcome.assignments)
        place = f" in {shown(outcome.directory)}" if outcome.directory else ""
        return f"argv {setting}{' '.join(map(shown, outcome.words))}{place}" + (" builtin" if outcome.builtin else "")
    if isinstance(outcome, WritesPath):
        return f"{'delete' if outcome.delete else 'write'} {shown(outcome.path)}"
    if isinstance(outcome, Assigns):
        return f"assign {outcome.name}={shown(outcome.value)}" + (" exported" if outcome.exported else "")
    assert isinstance(outcome, ReadsPath)
    return ""
