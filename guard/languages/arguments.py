"""What the command languages ask of words that are not, or not wholly, known."""

from __future__ import annotations

from collections.abc import Iterable

from guard.model.argument import Argument, Hole, Text
from guard.model.syntax import Span

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NAME_START = frozenset(_LETTERS + "_")
_NAME = frozenset(_LETTERS + "0123456789_")


def unknown(span: Span, *, many: bool = False) -> Argument:
    """A word of which nothing is known: a file's name, a line of input."""
    return Argument((Hole("any", span),), span, many)


def joined(words: Iterable[Argument], separator: str, span: Span) -> Argument:
    """All words as one text, as `eval` and `watch` make it; the separators stand at the end of the word before."""
    pieces: list[Text | Hole] = []
    for word in words:
        if pieces:
            pieces.append(Text(separator, [word.span.start] * len(separator)))
        if word.many:
            pieces.append(Hole("any", word.span))
        else:
            pieces += word.pieces
    return Argument(tuple(pieces), span)


def replaced(word: Argument, mark: str, filling: tuple[Text | Hole, ...]) -> Argument:
    """The word with `filling` for every `mark` in its known text."""
    pieces: list[Text | Hole] = []
    for piece in _merged(word.pieces):
        if isinstance(piece, Hole):
            pieces.append(piece)
            continue
        position = 0
        while (found := piece.text.find(mark, position)) >= 0:
            if found > position:
                pieces.append(Text(piece.text[position:found], piece.at[position:found]))
            pieces += filling
            position = found + len(mark)
        if position < len(piece.text) or not piece.text:
            pieces.append(Text(piece.text[position:], piece.at[position:]))
    return Argument(tuple(pieces), word.span, word.many)


def _merged(pieces: tuple[Text | Hole, ...]) -> list[Text | Hole]:
    """The same pieces, those of known text that follow each other made one (`a'b'` is one text)."""
    merged: list[Text | Hole] = []
    for piece in pieces:
        last = merged[-1] if merged else None
        if isinstance(piece, Text) and isinstance(last, Text):
            merged[-1] = Text(last.text + piece.text, [*last.at, *piece.at])
        else:
            merged.append(piece)
    return merged


_DIGITS = frozenset("0123456789")
_IN_NUMBERS = _DIGITS | frozenset("abcdefABCDEFxX.")


def is_number(word: Argument) -> bool:
    """Whether the word is known to be a number or empty: a shell that evaluates it as an expression finds no name."""
    if word.text is not None:
        return _is_numeral(word.text)
    for piece in word.pieces:
        if isinstance(piece, Text):
            if not set(piece.text) <= _DIGITS:
                return False
        elif piece.values:
            if not all(_is_numeral(value) for value in piece.values):
                return False
        elif piece.domain not in ("number", "integer"):
            return False
    return True


def _is_numeral(text: str) -> bool:
    digits = text[1:] if text[:1] in ("+", "-") else text
    return not digits or (digits[0] in _DIGITS and set(digits) <= _IN_NUMBERS)


def is_name(text: str) -> bool:
    """Whether this is a plain shell variable name (no subscript, which bash would evaluate)."""
    return bool(text) and text[0] in _NAME_START and set(text) <= _NAME


def may_equal(word: Argument, text: str) -> bool:
    """Whether some value of the word is exactly `text`."""
    return _fits(word.pieces, text)


def _fits(pieces: tuple[Text | Hole, ...], text: str) -> bool:
    if not pieces:
        return not text
    first, rest = pieces[0], pieces[1:]
    if isinstance(first, Text):
        return text.startswith(first.text) and _fits(rest, text[len(first.text) :])
    if first.values:
        return any(text.startswith(value) and _fits(rest, text[len(value) :]) for value in first.values)
    # Domains are not looked into: a hole may be any text, which can only find more.
    return any(_fits(rest, text[size:]) for size in range(len(text) + 1))
