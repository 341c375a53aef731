"""Decoding of `$'…'` and the characters that quoting is about."""

from __future__ import annotations

from guard.model.syntax import Literal
from guard.shell.lexer import Lexer

_SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"',
}  # fmt: skip
_HEX = frozenset("0123456789abcdefABCDEF")
_OCTAL = frozenset("01234567")
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


def ansi_c(lexer: Lexer) -> Literal:
    """The quoted text at `lexer.pos`, which stands on the `$` of `$'`.

    Refused: `\\c`, escapes that bash keeps as they are (zsh does not), NUL (it cuts the word) and everything that is
    not ASCII (its bytes depend on the locale).
    """
    text, end = lexer.text, lexer.end
    start = lexer.pos
    i = start + 2
    found: list[str] = []
    at: list[int] = []
    while True:
        if i >= end:
            lexer.refuse("quote without its end", start, start + 2)
        c = text[i]
        if c == "'":
            break
        if c != "\\":
            found.append(c)
            at.append(i)
            i += 1
            continue
        escape = text[i + 1 : i + 2]
        size = 2
        if escape in _SIMPLE:
            value = _SIMPLE[escape]
        elif escape in _OCTAL or escape in _HEX_DIGITS:
            digits, limit = (_OCTAL, 3) if escape in _OCTAL else (_HEX, _HEX_DIGITS[escape])
            first = i + 1 if escape in _OCTAL else i + 2
            stop = first
            while stop < end and stop < first + limit and text[stop] in digits:
                stop += 1
            code = int(text[first:stop], 8 if digits is _OCTAL else 16) if stop > first else 0
            if not 0 < code < 0x80:
                lexer.refuse("escape that is not a plain character", i, stop)
            value = chr(code)
            size = stop - i
        else:
            lexer.refuse("escape that shells read differently", i, i + 2)
        found.append(value)
        at.append(i)
        i += size
    lexer.pos = i + 1
    return Literal("".join(found), at, True)
