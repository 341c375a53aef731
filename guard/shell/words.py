"""Words: quote removal (here and nowhere else), expansions in their places, globs, tildes and braces."""

from __future__ import annotations

from guard.model.syntax import Glob, Literal, Part, Span, Tilde, Word
from guard.shell.braces import expand
from guard.shell.expansions import NAME, NAME_START, Expansions
from guard.shell.lexer import HereDocument
from guard.shell.quotes import ansi_c

_PLAIN = NAME | frozenset("-./:@%+=,^!#]{}")
_ENDS = frozenset(" \t\n;&|<>()")
_IN_BRACKET = NAME | frozenset("-./:@%+=^!#~*?")
_TILDE_USER = NAME | frozenset("-+.")
_QUOTED_SPECIAL = frozenset('"$`\\')
_TRAIL_BYTES = frozenset("\\`|{}[]^~@")


class Words(Expansions):
    """Reads words. `pos` stands on the first character of the word, which is not a blank or an operator."""

    def word(self) -> Word:
        """One word, before brace expansion; must not be empty."""
        start = self.pos
        word = Word(self.parts(start), Span(start, self.pos))
        if self.pos == start:
            self.refuse("a word was expected", start)
        self.no_equals_expansion(word)
        return word

    def expanded(self) -> tuple[Word, ...]:
        """One word of the text after brace expansion."""
        word = self.word()
        if self.text.find("{", word.span.start, word.span.end) < 0:
            return (word,)
        words = expand(word, self)
        for found in words:
            self.no_equals_expansion(found)
        return words

    def no_equals_expansion(self, word: Word) -> None:
        """zsh replaces `=name` by the path of a program."""
        first = word.parts[0] if word.parts else None
        if isinstance(first, Literal) and not first.quoted and first.text[0] == "=":
            alone = len(word.parts) == 1 and first.text in ("=", "==", "=~")
            if not alone:
                self.refuse("`=name` is a path in zsh", *word.span)

    def value(self, globs: bool = False) -> Word:
        """The right side of an assignment, possibly empty: no brace or file name expansion, tildes after `:` too."""
        start = self.pos
        return Word(self.parts(start, value=True, globs=globs), Span(start, self.pos))

    def parts(self, start: int, value: bool = False, globs: bool = True) -> tuple[Part, ...]:
        """The parts from `pos` to the end of the word."""
        text, end = self.text, self.end
        found: list[Part] = []
        i = self.pos
        while True:
            run = i
            i = self.literal_end(start, i, value)
            c = text[i] if i < end else ""
            if i > run:
                found.append(Literal(text[run:i], range(run, i), False))
            if not c or c in _ENDS:
                self.pos = i
                return tuple(found)
            self.pos = i
            if not self.special(c, found, value, globs):
                return tuple(found)
            i = self.pos

    def literal_end(self, start: int, i: int, value: bool) -> int:
        """Where the unquoted characters from `i` on that mean themselves end, in the word that began at `start`."""
        text, end, run = self.text, self.end, i
        while True:
            while i < end and text[i] in _PLAIN:
                i += 1
            c = text[i] if i < end else ""
            if c > "~":
                self.wide(i)
            elif c != "~" or self.tilde_expands(start, i, run, value):
                return i
            i += 1

    def special(self, c: str, found: list[Part], value: bool, globs: bool) -> bool:
        """Reads the part that begins with the special character `c`; False where the word ends before it."""
        text, i = self.text, self.pos
        if c == "'":
            close = text.find("'", i + 1, self.end)
            if close < 0:
                self.refuse("quote without its end", i)
            if close > i + 1:
                found.append(Literal(text[i + 1 : close], range(i + 1, close), True))
            self.quoted_newline(i, close)
            self.pos = close + 1
        elif c == '"':
            self.pos = i + 1
            self.double_quoted(found, '"')
            if self.pos >= self.end:
                self.refuse("quote without its end", i)
            self.pos += 1
            self.quoted_newline(i, self.pos)
        elif c == "$":
            if text.startswith("'", i + 1) and i + 1 < self.end:
                found.append(ansi_c(self))
                self.quoted_newline(i, self.pos)
            else:
                part = self.dollar(False)
                if part is None:
                    self.pos = i + 1
                    part = Literal("$", range(i, i + 1), False)
                found.append(part)
        elif c == "`":
            found.append(self.backquote(False))
        elif c == "\\":
            escaped = text[i + 1] if i + 1 < self.end else ""
            if escaped == "\n" and text[i + 2 : i + 3] in (" ", "\t") and i + 2 < self.end:
                return False
            if escaped in ("", "\n"):
                self.refuse("backslash-newline inside a word" if escaped else "backslash at the end", i, i + 2)
            if escaped > "~":
                self.wide(i + 1)
            found.append(Literal(escaped, range(i + 1, i + 2), True))
            self.pos = i + 2
        elif c in "*?[":
            size = self.bracket(i) if c == "[" else 1
            self.pos = i + (size or 1)
            if size and globs:
                found.append(Glob(text[i : self.pos], Span(i, self.pos)))
            else:
                found.append(Literal(text[i : self.pos], range(i, self.pos), False))
        elif c == "~":
            found.append(self.tilde(value))
        else:
            self.refuse("unsupported character", i)
        return True

    def quoted_newline(self, start: int, end: int) -> None:
        if self.pending and self.text.find("\n", start, end) >= 0:
            self.refuse("newline in a quote before a here-document's body", start, end)

    def wide(self, i: int) -> None:
        """Refuses an unquoted character that some shell or locale could take for a blank or swallow with the next."""
        c = self.text[i]
        if not c.isprintable() or c.isspace() or (c.isnumeric() and not c.isalpha()):
            self.refuse("character that looks like a blank or a digit", i)
        data = c.encode()
        if b"\xa0" in data or b"\x85" in data:
            self.refuse("character with a byte that is a blank in some locales", i)
        if self.text[i + 1 : i + 2] in _TRAIL_BYTES:
            self.refuse("character that could swallow the next one in some locales", i, i + 2)

    def bracket(self, i: int) -> int:
        """The length of the bracket expression at `i`; 1 where that is not plain to see; 0 where it is no pattern."""
        text, end = self.text, self.end
        j = i + 1
        if j < end and text[j] in "!^":
            j += 1
        if j < end and text[j] == "]":
            j += 1
        while j < end and text[j] in _IN_BRACKET:
            j += 1
        if j < end and text[j] == "]":
            return 1 if "/" in text[i:j] else j + 1 - i
        if j >= end or text[j] in _ENDS:
            return 0
        return 1

    def tilde_expands(self, start: int, i: int, run: int, value: bool) -> bool:
        """Whether the unquoted `~` at `i` is a tilde-prefix: first of the word, or after `=` or `:` of `name=…`."""
        if i == start:
            return True
        text = self.text
        if i == run or text[i - 1] not in "=:":
            return False
        if value:
            return text[i - 1] == ":"
        j = start
        if text[j] in NAME_START:
            while text[j] in NAME:
                j += 1
        return j > start and text[j] == "=" and (i - 1 == j or text[i - 1] == ":")

    def tilde(self, value: bool) -> Tilde:
        text, start = self.text, self.pos
        i = start + 1
        while i < self.end and text[i] in _TILDE_USER:
            i += 1
        after = text[i] if i < self.end else ""
        if after and after != "/" and after not in _ENDS and not (value and after == ":"):
            self.refuse("tilde joined to something else", start, i + 1)
        self.pos = i
        return Tilde(text[start + 1 : i], Span(start, i))

    def double_quoted(self, found: list[Part], stop: str, special: frozenset[str] = _QUOTED_SPECIAL) -> None:
        """Appends parts up to `stop` (or the end, where that is empty), which is left at `pos`.

        In a here-document and in `${…}` inside quotes (`stop` is not `"`) a double quote is not special or refused.
        """
        text, end = self.text, self.end
        run = i = self.pos
        while True:
            while i < end and text[i] not in special:
                if text[i] > "~":
                    self.wide_quoted(i)
                i += 1
            c = text[i] if i < end else ""
            if c == "\\" and i + 1 < end:
                escaped = text[i + 1]
                if escaped == "\n":
                    self.refuse("backslash-newline inside a word", i, i + 2)
                if escaped not in _QUOTED_SPECIAL or (escaped == '"' and stop == ""):
                    i += 2
                    continue
                if i > run:
                    found.append(Literal(text[run:i], range(run, i), True))
                found.append(Literal(escaped, range(i + 1, i + 2), True))
                run = i = i + 2
                continue
            part: Part | None = None
            if c == "$" or c == "`":
                self.pos = i
                part = self.dollar(True) if c == "$" else self.backquote(True)
                if part is None:
                    i += 1
                    continue
            if i > run:
                found.append(Literal(text[run:i], range(run, i), True))
            if part is None:
                self.pos = i
                if c and c not in stop:
                    self.refuse("unsupported inside quotes", i)
                return
            found.append(part)
            run = i = self.pos

    def wide_quoted(self, i: int) -> None:
        if "\ud800" <= self.text[i] <= "\udfff":
            self.refuse("half of a surrogate pair", i)
        if self.text[i + 1 : i + 2] in ("\\", "`"):
            self.refuse("character that could swallow the next one in some locales", i, i + 2)

    def operand(self, quoted: bool, stops: str) -> Word:
        """The word after an operator of `${…}` up to one of `stops`; blanks in it are part of it."""
        text, start = self.text, self.pos
        found: list[Part] = []
        if text.startswith("~", start):
            self.refuse("tilde in a parameter expansion", start)
        if quoted:
            self.double_quoted(found, stops, _OPERAND_SPECIAL | frozenset(stops))
            return Word(tuple(found), Span(start, self.pos))
        while self.pos < self.end and text[self.pos] not in stops:
            i = run = self.pos
            while i < self.end and (text[i] in _OPERAND_PLAIN or text[i] > "~") and text[i] not in stops:
                if text[i] > "~":
                    self.wide(i)
                i += 1
            if i > run:
                found.append(Literal(text[run:i], range(run, i), False))
            elif text[i] in _ENDS or text[i] == "{" or text[i] == "[":
                self.refuse("unsupported in a parameter expansion", i)
            elif not self.special(text[i], found, True, True):
                self.refuse("backslash-newline inside a word", i, i + 2)
            self.pos = max(self.pos, i)
        return Word(tuple(found), Span(start, self.pos))

    def body(self, document: HereDocument, lines: list[tuple[int, int]], start: int, end: int) -> Word:
        """The word of a here-document's body, from its lines (each without its leading tabs, if they are stripped)."""
        found: list[Part] = []
        if document.quoted:
            found += [Literal(self.text[a:b], range(a, b), True) for a, b in lines]
            if not document.strip_tabs and found:
                found = [Literal(self.text[start:end], range(start, end), True)]
            return Word(tuple(found), Span(start, end))
        outer, newline = (self.pos, self.end), self.newline
        self.newline = 0
        # A line at a time where tabs are stripped, so that no substitution can reach over a stripped tab.
        pieces = lines if document.strip_tabs else [(start, end)]
        for a, b in pieces:
            self.pos, self.end = a, b
            self.double_quoted(found, "", _BODY_SPECIAL)
        self.pos, self.end = outer
        self.newline = newline
        return Word(tuple(found), Span(start, end))


_BODY_SPECIAL = frozenset("$`\\")
_OPERAND_SPECIAL = frozenset("\"'$`\\{\n")
_OPERAND_PLAIN = (_PLAIN | frozenset(" ~")) - frozenset("{}")
