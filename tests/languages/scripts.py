"""Scripts for the tables of sed and awk: built with places, and outcomes shown with the text they point at."""

from __future__ import annotations

from guard.model.argument import Argument, Hole, Outcome, ReadsPath, RunsShell, Text, WritesPath
from guard.model.effect import Effect
from guard.model.invocation import Given, Invocation
from guard.model.syntax import Span


def script(text: str, domain: str = "number", values: tuple[str, ...] = ()) -> Argument:
    """A script at the beginning of the command; every `¤` in it is a hole."""
    pieces: list[Text | Hole] = []
    start = 0
    for part in text.split("¤"):
        if start:
            pieces.append(Hole(domain, Span(start - 1, start), values))
        if part or not start:
            pieces.append(Text(part, range(start, start + len(part))))
        start += len(part) + 1
    return Argument(tuple(pieces), Span(0, len(text)))


def words(*texts: str) -> tuple[Argument, ...]:
    """Words that stand one behind the other, a blank between two."""
    found = []
    start = 0
    for text in texts:
        span = Span(start, start + len(text))
        found.append(Argument((Text(text, range(*span)),), span))
        start = span.end + 1
    return tuple(found)


def call(program: str, *line: str) -> Invocation:
    """A call whose words `-x=value` are options with an argument, `-x` without one, and all others operands."""
    options: list[Given] = []
    operands: list[Argument] = []
    for word in words(*line):
        text = word.text or ""
        if text.startswith("-") and text != "-":
            name, equals, value = text.partition("=")
            start = word.span.start + len(name) + 1
            span = Span(start, word.span.end)
            argument = Argument((Text(value, range(*span)),), span) if equals else None
            options.append(Given(name, argument, word.span))
        else:
            operands.append(word)
    return Invocation(program, (), tuple(options), tuple(operands), None, Span(0, 0), "rule")


def shown(outcomes: list[Outcome], text: str) -> list[str]:
    """`kind what: the part of the text that it points at`."""
    return [_shown(outcome, text) for outcome in outcomes]


def _shown(outcome: Outcome, text: str) -> str:
    if isinstance(outcome, Effect):
        span = outcome.reason.span
        return f"{outcome.kind.value} {outcome.reason.code}: {text[span.start : span.end]}"
    if isinstance(outcome, WritesPath):
        return f"write {outcome.path.text}: {text[outcome.path.span.start : outcome.path.span.end]}"
    if isinstance(outcome, RunsShell):
        return f"shell {outcome.text.text}: {text[outcome.text.span.start : outcome.text.span.end]}"
    assert isinstance(outcome, ReadsPath)
    return f"read {outcome.path.start}"


def only_reads(outcomes: list[Outcome]) -> bool:
    """Whether nothing is left but reading and the standard streams."""
    harmless = ("/dev/stdout", "/dev/stderr", "/dev/null")
    return all(
        isinstance(outcome, ReadsPath) or (isinstance(outcome, WritesPath) and outcome.path.text in harmless)
        for outcome in outcomes
    )
