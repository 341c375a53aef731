"""Commands that a grant lets run whatever they do (`Grant.run`), and the variables that it lets be set for them.

A pattern is words (`pytest *`), with the variables that the command gets before them (`PYTHONPATH=. pytest *`).
"""

from __future__ import annotations

from guard.model.argument import Argument
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    Pattern = tuple[str, ...]


def variables(
    words: tuple[Argument, ...], assigned: Iterable[tuple[str, Argument | None]], patterns: Iterable[Pattern]
) -> frozenset[str] | None:
    """None unless the words with the variables `assigned` fit a pattern; else the variables that patterns name.

    Other variables are not the pattern's: what they can do is to be judged as for any command.
    """
    found = None
    texts: frozenset[str] | None = None
    for pattern in patterns:
        head, command = _split(pattern)
        if not fits(words, command):
            continue
        if head and texts is None:
            texts = _texts(assigned)
        if not head or (texts is not None and texts.issuperset(head)):
            names = frozenset(word.partition("=")[0] for word in head)
            found = names if found is None else found | names
    return found


def fits(words: tuple[Argument, ...], pattern: Pattern) -> bool:
    """Whether the words are those of a pattern; a last `*` stands for any further ones, known or not."""
    fixed = pattern[:-1] if pattern[-1:] == ("*",) else pattern
    if len(words) < len(fixed) or (len(words) > len(fixed) and fixed is pattern):
        return False
    return bool(fixed) and all(word.text == wanted for word, wanted in zip(words, fixed, strict=False))


def _split(pattern: Pattern) -> tuple[Pattern, Pattern]:
    """A pattern's variables and its command."""
    at = 0
    while at < len(pattern) and _sets(pattern[at]):
        at += 1
    return pattern[:at], pattern[at:]


def _sets(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isascii() and name.isidentifier()


def _texts(assigned: Iterable[tuple[str, Argument | None]]) -> frozenset[str]:
    """`NAME=value` of the variables; one that is set twice, or to what is not known, is not among them."""
    found: dict[str, str | None] = {}
    for name, value in assigned:
        found[name] = None if name in found or value is None else value.text
    return frozenset(f"{name}={text}" for name, text in found.items() if text is not None)
