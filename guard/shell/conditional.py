"""`[[ … ]]`."""

from __future__ import annotations

from guard.model.syntax import Conditional, Literal, Part, Redirect, Span, Word
from guard.shell.commands import Commands
from guard.shell.lexer import OPERATOR, WORD

_ENDS = frozenset(" \t\n;&|<>()")


class Conditionals(Commands):
    """Reads `[[ … ]]` on one line, as its words."""

    def redirects(self) -> tuple[Redirect, ...]:
        raise NotImplementedError

    def conditional(self) -> Conditional:
        text, start = self.text, self.pos
        self.features.add("conditional")
        self.token(OPERATOR, start, start + 2)
        self.pos += 2
        words: list[Word] = []
        regex = False
        level = 0
        while True:
            self.blanks()
            i = self.pos
            if i >= self.end or text[i] == "\n":
                self.refuse("`[[` without `]]` on its line", start, start + 2)
            if text.startswith("]]", i) and (i + 2 >= self.end or text[i + 2] in _ENDS):
                break
            operator = self.operator(i)
            if regex:
                words.append(self.regex())
            elif operator:
                level += {"(": 1, ")": -1}.get(operator, 0)
                self.pos = i + len(operator)
                words.append(Word((Literal(operator, range(i, self.pos), False),), Span(i, self.pos)))
            else:
                words.append(self.word())
                if self.pos < self.end and text[self.pos] not in " \t)&|":
                    self.refuse("unsupported in `[[ ]]`", self.pos)
            regex = text[i : self.pos] == "=~"
            self.token(WORD, i, self.pos)
        if level or not words:
            self.refuse("unsupported in `[[ ]]`", start, self.pos)
        self.token(OPERATOR, self.pos, self.pos + 2)
        self.pos += 2
        end = self.pos
        redirects = self.redirects()
        return Conditional(tuple(words), redirects, Span(start, redirects[-1].span.end if redirects else end))

    def operator(self, i: int) -> str:
        """The operator at `i` that is not a word; those that could be something else are refused."""
        text = self.text
        for found in ("&&", "||", "(", ")", "<", ">"):
            if text.startswith(found, i):
                if found in ("<", ">") and text[i + 1 : i + 2] not in (" ", "\t"):
                    self.refuse("unsupported in `[[ ]]`", i)
                return found
        if text[i] in ";&|":
            self.refuse("unsupported in `[[ ]]`", i)
        return ""

    def regex(self) -> Word:
        """The regular expression after `=~`: parentheses and bars are part of it; blanks must be quoted."""
        text, start = self.text, self.pos
        parts: list[Part] = []
        level = 0
        while True:
            i = self.pos
            parts.extend(self.parts(i))
            c = text[self.pos] if self.pos < self.end else ""
            if c == "(" or c == "|" or (c == ")" and level):
                level += {"(": 1, ")": -1}.get(c, 0)
                parts.append(Literal(c, range(self.pos, self.pos + 1), False))
                self.pos += 1
            elif c in (" ", "\t") and not level and self.pos > start:
                return Word(tuple(parts), Span(start, self.pos))
            else:
                self.refuse("unsupported in a regular expression", self.pos)
