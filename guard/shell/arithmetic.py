"""Arithmetic: `$((…))`, `((…))`, `for ((…))` and the offsets of `${x:…}`.

bash evaluates the *values* of the names in it as expressions again, so the names are handed on. Only numbers, names,
operators, parameters and substitutions are read; quotes, subscripts and backslashes are refused.
"""

from __future__ import annotations

from guard.model.syntax import Arithmetic, Part, Span
from guard.shell.lexer import Lexer

_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_DIGITS = frozenset("0123456789")
_NAME = _NAME_START | _DIGITS
_OPERATORS = frozenset("+-*/%<>=!&|^~?:, \t\n")
_ASSIGNING = ("<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=")


class Expressions(Lexer):
    """Reads the expression at `pos` up to a closing character on its own level."""

    def dollar(self, quoted: bool) -> Part | None:
        raise NotImplementedError

    def backquote(self, quoted: bool) -> Part:
        raise NotImplementedError

    def expression(self, stops: str, quoted: bool, start: int) -> Arithmetic:
        """Leaves `pos` on the stop; `start` is where the construct began. The span is the expression's."""
        text, end = self.text, self.end
        names: list[str] = []
        assigns: list[str] = []
        inner: list[Part] = []
        level = 0
        first = self.pos
        while True:
            i = self.pos
            if i >= end:
                self.refuse("arithmetic without its end", start, start + 2)
            c = text[i]
            if level == 0 and c in stops:
                break
            if c in _NAME_START:
                while i < end and text[i] in _NAME:
                    i += 1
                name = text[self.pos : i]
                names.append(name)
                if self.assigned(self.pos, i):
                    assigns.append(name)
                self.pos = i
            elif c in _DIGITS:
                while i < end and (text[i] in _NAME or text[i] == "@"):
                    i += 1
                if i < end and text[i] == "#":
                    i += 1
                    while i < end and (text[i] in _NAME or text[i] == "@"):
                        i += 1
                self.pos = i
            elif c == "$":
                part = self.dollar(quoted)
                if part is None:
                    self.refuse("`$` in arithmetic", i)
                inner.append(part)
            elif c == "`":
                inner.append(self.backquote(quoted))
            elif c == "(":
                level += 1
                self.pos += 1
            elif c == ")" and level:
                level -= 1
                self.pos += 1
            elif c in _OPERATORS:
                self.pos += 1
            else:
                self.refuse("unsupported in arithmetic", i)
        if level:
            self.refuse("unbalanced parentheses in arithmetic", start, self.pos)
        return Arithmetic(tuple(names), tuple(inner), quoted, Span(first, self.pos), tuple(assigns))

    def assigned(self, start: int, end: int) -> bool:
        """Whether the name at `start:end` is assigned to (`x = 1`, `x += 1`, `x++`, `--x`); doubt counts as yes."""
        text = self.text
        i = end
        while i < self.end and text[i] in " \t\n":
            i += 1
        if text.startswith(_ASSIGNING, i) or (text.startswith("=", i) and not text.startswith("==", i)):
            return True
        i = start
        while i > 0 and text[i - 1] in " \t\n":
            i -= 1
        return text.endswith(("++", "--"), max(0, i - 2), i)
