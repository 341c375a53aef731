"""What a rule of another tool matches, as a value, and whether it matches a text.

The formats differ in notation; these are the few things that they can say.
"""

from __future__ import annotations

import re
from typing import assert_never

from guard.model.record import NamedTuple


class Everything(NamedTuple):
    """Every command."""

    name: str = "everything"


class Nothing(NamedTuple):
    """No command: the rule is of another kind, or wrong."""

    name: str = "nothing"


class Exact(NamedTuple):
    """This text and no other."""

    text: str
    ignore_case: bool = False


class Prefix(NamedTuple):
    """Texts that start with this; `boundary`: a blank or the end must follow."""

    text: str
    boundary: bool
    ignore_case: bool = False


class Glob(NamedTuple):
    """`*` is any characters, operators and blanks too; `question`: `?` is one. `bare_tail`: a last ` *` may be
    missing."""

    text: str
    question: bool = False
    bare_tail: bool = True


class Regex(NamedTuple):
    """A regular expression; `how` is `search` (anywhere), `match` (from the start) or `full`. `around` stands before
    and after the command in the text that is tested."""

    source: str
    how: str = "search"
    ignore_case: bool = False
    around: tuple[str, str] = ("", "")


class Words(NamedTuple):
    """A command whose first words are these; each place lists its alternatives."""

    alternatives: tuple[tuple[str, ...], ...]


class Contains(NamedTuple):
    """Texts with this in them."""

    text: str


Pattern = Everything | Nothing | Exact | Prefix | Glob | Regex | Words | Contains


def matches(pattern: Pattern, text: str, words: tuple[str, ...] | None = None) -> bool:
    """Whether the pattern matches the text of one command; `words` are its words after quote removal, if known."""
    if isinstance(pattern, Everything):
        return True
    if isinstance(pattern, Nothing):
        return False
    if isinstance(pattern, Exact):
        return _fold(text, pattern.ignore_case) == _fold(pattern.text, pattern.ignore_case)
    if isinstance(pattern, Prefix):
        whole, start = _fold(text, pattern.ignore_case), _fold(pattern.text, pattern.ignore_case)
        return whole.startswith(start) and (
            not pattern.boundary or whole[len(start) : len(start) + 1] in ("", " ", "\t")
        )
    if isinstance(pattern, Glob):
        if pattern.bare_tail and pattern.text.endswith(" *") and _glob(pattern.text[:-2], text, pattern.question):
            return True
        return _glob(pattern.text, text, pattern.question)
    if isinstance(pattern, Regex):
        return _regex(pattern, text)
    if isinstance(pattern, Words):
        given = text.split() if words is None else words
        return len(given) >= len(pattern.alternatives) and all(
            word in choices for word, choices in zip(given, pattern.alternatives, strict=False)
        )
    if isinstance(pattern, Contains):
        return pattern.text in text
    assert_never(pattern)


def leads(pattern: Pattern) -> tuple[str, ...]:
    """Texts of which each command that the pattern matches has one at its start; one empty text where that is
    unknown."""
    if isinstance(pattern, (Exact, Prefix)):
        return (pattern.text,)
    if isinstance(pattern, Glob):
        cut = min(
            (at for at in (pattern.text.find("*"), pattern.text.find("?") if pattern.question else -1) if at >= 0),
            default=len(pattern.text),
        )
        return (pattern.text[:cut],)
    if isinstance(pattern, Words):
        found = [""]
        for choices in pattern.alternatives:
            found = [f"{start} {choice}".lstrip() for start in found for choice in choices][:64]
        return tuple(found)
    if isinstance(pattern, Regex):
        return regex_leads(pattern)
    if isinstance(pattern, (Everything, Nothing, Contains)):
        return ("",)
    assert_never(pattern)


def regex_leads(pattern: Regex) -> tuple[str, ...]:
    """Literal starts of an anchored expression: `^git (log|diff)` gives two."""
    text = pattern.source
    anchored = pattern.how != "search" or text.startswith("^")
    if not anchored:
        return ("",)
    text = text.removeprefix("^")
    found, at = [""], 0
    while at < len(text):
        char = text[at]
        if text[at + 1 : at + 2] in ("*", "?", "+", "{") and char not in "(\\":
            break
        if char == "\\" and at + 1 < len(text):
            escape = text[at + 1]
            if escape == "b":
                at += 2
                continue
            if escape == "s":
                found = [start + " " for start in found]
                at += 3 if text[at + 2 : at + 3] == "+" else 2
                continue
            if escape.isalnum():
                break
            found = [start + escape for start in found]
            at += 2
        elif char == "(":
            end = text.find(")", at)
            inner = text[at + 1 : end].removeprefix("?:")
            optional = text[end + 1 : end + 2] in ("?", "*", "+", "{") and bool(text[end + 1 : end + 2])
            if end < 0 or optional or not all(c.isalnum() or c in "-_ |" for c in inner):
                break
            found = [start + choice for start in found for choice in inner.split("|")][:64]
            at = end + 1
        elif char in ".[$*+?{|^":
            break
        else:
            found = [start + char for start in found]
            at += 1
    return tuple(found)


def open_ended(pattern: Pattern) -> bool:
    """Whether more words may follow what the pattern names."""
    if isinstance(pattern, (Exact, Nothing)):
        return False
    if isinstance(pattern, Glob):
        return "*" in pattern.text or (pattern.question and "?" in pattern.text)
    if isinstance(pattern, Regex):
        return not (pattern.source.endswith("$") and ".*" not in pattern.source)
    return True


def _fold(text: str, ignore_case: bool) -> str:
    return text.lower() if ignore_case else text


def _glob(pattern: str, text: str, question: bool) -> bool:
    """Linear in the product of the lengths at worst; no regular expression, so no blow-up."""
    at = start = 0
    star, resume = -1, 0
    while start < len(text):
        char = pattern[at : at + 1]
        if char == "*":
            star, resume = at, start
            at += 1
        elif char == text[start] or (question and char == "?"):
            at += 1
            start += 1
        elif star >= 0:
            resume += 1
            at, start = star + 1, resume
        else:
            return False
    return pattern[at:].strip("*") == ""


def _regex(pattern: Regex, text: str) -> bool:
    compiled = compiled_regex(pattern)
    if compiled is None:
        return False
    tested = pattern.around[0] + text + pattern.around[1]
    if pattern.how == "full":
        return compiled.fullmatch(tested) is not None
    return (compiled.match if pattern.how == "match" else compiled.search)(tested) is not None


_COMPILED: dict[tuple[str, bool], re.Pattern[str] | None] = {}


def compiled_regex(pattern: Regex) -> re.Pattern[str] | None:
    """The expression compiled, None where it is not valid."""
    key = (pattern.source, pattern.ignore_case)
    if key not in _COMPILED:
        try:
            _COMPILED[key] = re.compile(pattern.source, re.IGNORECASE if pattern.ignore_case else 0)
        except (re.error, RecursionError, OverflowError):
            _COMPILED[key] = None
    return _COMPILED[key]
