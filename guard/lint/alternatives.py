"""Alternatives: what a veto offers instead (`instead` in rules). A sentence whose commands stand in backquotes.

Every command in it is one that is allowed; one that reads over the network is only offered with the words `net_read`,
so that nobody tries it where that is not granted.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.classify import Place, classify, doubts
from guard.lint.own_pages import own
from guard.model.diagnostic import Diagnostic
from guard.model.effect import Kind
from guard.model.grant import READ_ONLY
from guard.rulebook import Rulebook
from guard.rulebook.yaml_source import Value


def check(value: Value, place: Place, book: Rulebook) -> Iterator[Diagnostic]:
    """A finding for each alternative of a rule file that is none, in the order of the file."""
    inner = value.data
    for key, one in inner.items() if isinstance(inner, dict) else ():
        if key == "instead" and isinstance(one.data, str):
            why = "" if one.data.startswith("TODO") else problem(one.data, place, book)
            if why:
                yield own(one.fail(""), "O811", f"{why}: {one.data}")
        else:
            yield from check(one, place, book)
    for one in inner if isinstance(inner, list) else ():
        yield from check(one, place, book)


def problem(text: str, place: Place, book: Rulebook) -> str:
    """Why the sentence is no alternative; empty if it is one."""
    parts = text.split("`")
    commands = parts[1::2]
    if not commands or len(parts) % 2 == 0:
        return "no command in backquotes"
    allowed = READ_ONLY | {Kind.NET_READ} if "net_read" in "".join(parts[::2]) else READ_ONLY
    for command in commands:
        found = classify(command, place, book)
        outside = [effect for effect in found.effects if effect.kind not in allowed] or list(doubts(found))
        if outside:
            return f"`{command}` is not allowed itself ({outside[0].reason.message})"
    return ""
