"""A verdict as a JSON record, as text for a person, and as the one reason that a model reads."""

from __future__ import annotations

from typing import Any

from guard.model.effect import Reason
from guard.model.verdict import Decision, Verdict

MAX_REASONS = 5
"""Reasons shown to a person; the JSON has all of them."""


def record(verdict: Verdict) -> dict[str, Any]:
    """`verdict`, `effects` (kinds, each once) and `reasons`, as the command line promises them."""
    return {
        "verdict": word(verdict.decision),
        "effects": sorted({effect.kind.value for effect in verdict.effects}),
        "reasons": [
            {
                "code": reason.code,
                "message": reason.message,
                "span": [reason.span.start, reason.span.end],
                "rule": reason.rule,
                **({"instead": reason.instead} if reason.instead else {}),
            }
            for reason in verdict.reasons
        ],
    }


def word(decision: Decision) -> str:
    """`allow` or `veto`."""
    return "allow" if decision is Decision.ALLOW else "veto"


def explained(verdict: Verdict, command: str) -> list[tuple[str, str]]:
    """Lines for a person as (style, text); styles: `allow`, `veto`, `source`, `mark`, `reason`, `hint`, `note`."""
    kinds = ", ".join(sorted({effect.kind.value for effect in verdict.effects})) or "none"
    lines = [(word(verdict.decision), f"{word(verdict.decision)}  (effects: {kinds})")]
    for reason in verdict.reasons[:MAX_REASONS]:
        lines += [("note", ""), *_excerpt(command, reason)]
        where = f"  [{reason.rule}]" if reason.rule else ""
        lines.append(("reason", f"{reason.code}: {reason.message}{where}"))
        if reason.instead:
            lines.append(("hint", f"instead: {reason.instead}"))
    if len(verdict.reasons) > MAX_REASONS:
        lines.append(("note", f"and {len(verdict.reasons) - MAX_REASONS} more (see --json)"))
    return lines


def sentence(reason: Reason, command: str) -> str:
    """One reason on one line, with the part of the command that it is about."""
    part = visible(command[reason.span.start : reason.span.end].strip())
    shown = part if len(part) <= 160 else part[:157] + "..."
    text = f"`{shown}`: {reason.message.rstrip('.')}." if shown else f"{reason.message.rstrip('.')}."
    return f"{text} Instead: {reason.instead.rstrip('.')}." if reason.instead else text


def _excerpt(command: str, reason: Reason) -> list[tuple[str, str]]:
    """The line of the command where the reason's span begins, and a line of marks under the span."""
    start, end = reason.span
    begin = command.rfind("\n", 0, start) + 1
    stop = command.find("\n", begin)
    stop = len(command) if stop < 0 else stop
    end = max(min(end, stop), start)
    left = max(begin, start - 60)
    right = min(stop, max(end, start) + 60)
    number = command.count("\n", 0, start) + 1
    head = f"{number:>4} | " + ("..." if left > begin else "")
    before, marked = visible(command[left:start]), visible(command[start : min(end, right)])
    after = visible(command[min(end, right) : right])
    source = head + before + marked + after + ("..." if right < stop else "")
    return [("source", source), ("mark", " " * (len(head) + len(before)) + "^" * max(1, len(marked)))]


def visible(text: str) -> str:
    """The text with everything that does not print (controls, odd blanks, surrogates) as an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
