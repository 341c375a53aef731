"""Brace expansion of a word that was already split into parts.

Only well-formed braces are expanded; what is not balanced, or what bash expands in a surprising way, is refused.
Quoted text and expansions are atoms: nothing in them is a brace or a comma.
"""

from __future__ import annotations

from itertools import pairwise

from guard.model.syntax import Glob, Literal, Parameter, Part, Word
from guard.shell.expansions import NAME
from guard.shell.lexer import Lexer

MAX_WORDS = 200
_SPECIAL = frozenset("{},")
_GOES_ON = NAME | {"["}

Atom = tuple[str, Part | None]
"""A brace or comma with None, or ("", part)."""


def expand(word: Word, lexer: Lexer) -> tuple[Word, ...]:
    """The words that bash makes of `word`, all with its span."""
    atoms = _atoms(word)
    if not any(character == "{" for character, _ in atoms):
        return (word,)
    if not any(character == "," or (part is not None and _text(part).find("..") >= 0) for character, part in atoms):
        return (word,)  # no comma and no range: every brace is an ordinary character
    alternatives, end = _sequence(atoms, 0, False, word, lexer)
    if end < len(atoms):
        lexer.refuse("unbalanced braces", *word.span)
    if len(alternatives) == 1 and len(alternatives[0]) >= len(atoms):
        return (word,)
    if any("~" in _text(part) for part in word.parts) or any(
        isinstance(part, Glob) and "," in part.text for part in word.parts
    ):
        lexer.refuse("braces around a tilde or a bracket", *word.span)
    # An alternative without a character is no word at all, unless there were quotes in it.
    if not all(alternatives) and any(c in "'\"" for c in lexer.text[word.span.start : word.span.end]):
        lexer.refuse("empty word in braces", *word.span)
    words = tuple(Word(_joined(parts), word.span) for parts in alternatives if parts)
    if any(_makes_expansion(found.parts, lexer.text) for found in words):
        lexer.refuse("braces beside `$`, where bash would read another name", *word.span)
    return words


def _makes_expansion(parts: tuple[Part, ...], text: str) -> bool:
    """Whether the alternatives, which bash joins as text, give a `$` or a `$name` something to go on with."""
    if any("$" in _text(part) for part in parts):
        return True
    return any(
        isinstance(left, Parameter) and text[left.span.end - 1] != "}" and (_text(right)[:1] or "-") in _GOES_ON
        for left, right in pairwise(parts)
    )


def _text(part: Part) -> str:
    return part.text if isinstance(part, Literal) and not part.quoted else ""


def _atoms(word: Word) -> list[Atom]:
    atoms: list[Atom] = []
    for part in word.parts:
        text = _text(part)
        if not (text and isinstance(part, Literal)):
            atoms.append(("", part))
            continue
        run = 0
        for i, c in enumerate(text):
            if c in _SPECIAL:
                if i > run:
                    atoms.append(("", Literal(text[run:i], part.at[run:i], False)))
                atoms.append((c, Literal(c, part.at[i : i + 1], False)))
                run = i + 1
        if run < len(text):
            atoms.append(("", Literal(text[run:], part.at[run:], False)))
    return atoms


def _sequence(atoms: list[Atom], i: int, inside: bool, word: Word, lexer: Lexer) -> tuple[list[tuple[Part, ...]], int]:
    """Alternatives from `i` to the end, or inside braces to the next comma or closing brace of this level."""
    found: list[tuple[Part, ...]] = [()]
    while i < len(atoms):
        character, part = atoms[i]
        if inside and character and character in ",}":
            break
        if character == "}":
            lexer.refuse("unbalanced braces", *word.span)
        if character == "{":
            group, i = _group(atoms, i, word, lexer)
        else:
            group, i = [(part,) if part is not None else ()], i + 1
        if len(found) * len(group) > MAX_WORDS:
            lexer.refuse("braces that make too many words", *word.span, code="bounds")
        found = [left + right for left in found for right in group]
    return found, i


def _group(atoms: list[Atom], i: int, word: Word, lexer: Lexer) -> tuple[list[tuple[Part, ...]], int]:
    """Alternatives of the braces at `i`, and the place behind them."""
    opening = i
    items: list[list[tuple[Part, ...]]] = []
    while True:
        found, i = _sequence(atoms, i + 1, True, word, lexer)
        items.append(found)
        if i >= len(atoms):
            lexer.refuse("unbalanced braces", *word.span)
        if atoms[i][0] == "}":
            break
    if len(items) > 1:
        return [parts for found in items for parts in found], i + 1
    brace, close = atoms[opening][1], atoms[i][1]
    assert brace is not None
    assert close is not None
    single = items[0]
    if len(single) == 1 and len(single[0]) == 1 and i == opening + 2:
        numbers = _range(single[0][0], word, lexer)
        if numbers:
            return numbers, i + 1
    return [(brace, *parts, close) for parts in single], i + 1


def _range(part: Part, word: Word, lexer: Lexer) -> list[tuple[Part, ...]] | None:
    """The alternatives of `{1..3}`; None where the text is not a range. Other ranges than plain numbers are refused."""
    if not isinstance(part, Literal) or part.quoted or ".." not in part.text:
        return None
    ends = part.text.split("..")
    if len(ends) != 2 or not all(_plain_number(end) for end in ends):
        lexer.refuse("unsupported range in braces", *word.span)
    first, last = int(ends[0]), int(ends[1])
    if abs(last - first) >= MAX_WORDS:
        lexer.refuse("braces that make too many words", *word.span, code="bounds")
    step = 1 if last >= first else -1
    numbers = range(first, last + step, step)
    return [(Literal(str(n), [part.at[0]] * len(str(n)), False),) for n in numbers]


def _plain_number(text: str) -> bool:
    """Digits without leading zeros (those pad) and not too many of them."""
    return text.isascii() and text.isdigit() and len(text) < 10 and (text == "0" or text[0] != "0")


def _joined(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts with neighbouring unquoted literals made one."""
    found: list[Part] = []
    for part in parts:
        last = found[-1] if found else None
        if isinstance(part, Literal) and isinstance(last, Literal) and not part.quoted and not last.quoted:
            found[-1] = Literal(last.text + part.text, [*last.at, *part.at], False)
        else:
            found.append(part)
    return tuple(found)
