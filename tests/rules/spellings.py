"""Every option of every rule in each way it can be written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from guard.prove.options import nodes
from guard.rulebook import Rulebook
from guard.rulebook.schema import Node, Option, Takes

HARMLESS = frozenset({"", "read", "cache"})
_FILLING = {"number": "5", "url": "http://host.example/", "format": "x", "argv": "touch out"}


class Case(NamedTuple):
    """An option of a node; `words` are the program and the subcommands that lead to it."""

    words: str
    node: Node
    option: Option
    spellings: tuple[str, ...]


def cases(book: Rulebook) -> Iterator[Case]:
    """Every option of every node."""
    for words, node in nodes(book):
        by_option: dict[Option, list[str]] = {}
        for spelling, option in node.options.items():
            by_option.setdefault(option, []).append(spelling)
        for option, found in by_option.items():
            yield Case(words, node, option, tuple(found))


def dangerous(option: Option) -> bool:
    """Whether giving it, with the filling below, always does more than read."""
    if option.effect not in HARMLESS:
        return True
    takes = [one for one in option.takes if not one.optional]
    return any(
        one.type in ("write", "delete", "shell", "program", "argv")
        or (one.type == "values" and one.otherwise not in HARMLESS)
        for one in takes
    )


def _filling(takes: Takes) -> str:
    return _FILLING.get(takes.type, "out.txt")


def written(case: Case) -> Iterator[str]:
    """The option with its arguments, in each of its spellings: attached, separate, abbreviated."""
    values = [_filling(one) for one in case.option.takes]
    optional = bool(case.option.takes) and case.option.takes[0].optional
    for spelling in case.spellings:
        names = [spelling]
        if spelling.startswith("--") and case.node.abbreviate and case.node.syntax in ("gnu", "git", "posix"):
            prefixes = [spelling[:size] for size in range(3, len(spelling))]
            names += [prefix for prefix in prefixes if prefix not in case.node.options]
        for full in names:
            short = len(full) == 2 and case.node.syntax != "single"
            name = full.replace("?", "\\?")  # a pattern character to the shell
            if not values:
                yield name
                continue
            rest = " ".join(values[1:])
            if not optional:
                yield f"{name} {values[0]} {rest}".strip()
            if optional or not short or case.node.language != "separate_arguments":
                yield f"{name}{'' if short else '='}{values[0]} {rest}".strip()
            if optional:
                yield name


def clustered(case: Case) -> Iterator[str]:
    """A short option behind one and two harmless ones in a cluster."""
    if case.node.syntax == "single":
        return
    values = " ".join(_filling(one) for one in case.option.takes)
    plain = [
        spelling[1]
        for spelling, option in case.node.options.items()
        if len(spelling) == 2 and spelling[1] != "-" and not option.takes and option.effect in HARMLESS
    ]
    for spelling in case.spellings:
        if len(spelling) == 2 and spelling[1] != "-" and f"-{spelling[1]}" in case.node.options:
            for lead in {"".join(plain[:1]), "".join(plain[:2])} - {""}:
                letter = spelling[1].replace("?", "\\?")
                yield f"-{lead}{letter} {values}".strip()
                yield f"-{lead}{letter}{values}".strip()
