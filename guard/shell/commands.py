"""Simple commands: assignments, words, redirects."""

from __future__ import annotations

from guard.model.syntax import Assignment, Literal, ProcessSubstitution, Redirect, Simple, Span, Word
from guard.shell.expansions import DIGITS, NAME, NAME_START
from guard.shell.lexer import ASSIGNMENT, NUMBER, OPERATOR, WORD, HereDocument
from guard.shell.lexer import NAME as NAME_FLAG
from guard.shell.words import Words

_REDIRECTS = ("<<<", "<<-", "<<", "<&", "<>", "<", "&>>", "&>", ">>", ">|", ">&", ">")
_ENDS = frozenset(" \t\n;&|<>()")
_END_OF_COMMAND = frozenset("\n;|)")


class Commands(Words):
    """Reads simple commands. `base_depth` is the nesting at which the current region began."""

    base_depth = 0

    def simple(self) -> Simple:
        """The simple command at `pos`; the caller has ruled out reserved words and compound commands."""
        text, end, start = self.text, self.end, self.pos
        self.count_command(start)
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        last = start
        while True:
            self.blanks()
            i = self.pos
            c = text[i] if i < end else ""
            if not c or c in _END_OF_COMMAND or (c == "&" and not text.startswith(">", i + 1)):
                break
            if c == "(":
                self.refuse("unexpected `(`", i)
            if self.at_redirect(c):
                redirects.append(self.redirect())
            elif c in "<>":
                words.append(self.process_substitution(0 if words else NAME_FLAG))
            else:
                found = None if words else self.assignment(bool(assignments))
                if found is not None:
                    assignments.append(found)
                else:
                    more = self.expanded()
                    self.token(WORD if words else WORD | NAME_FLAG, i, self.pos)
                    words.extend(more)
                self.not_joined()
            last = self.pos
        if last == start:
            self.refuse("a command was expected", start)
        if assignments and not words:
            self.mark_first_assignment(assignments[0].span)
        if words and any(item.array is not None for item in assignments):
            self.refuse("array before a command", *assignments[0].span)
        return Simple(tuple(assignments), tuple(words), tuple(redirects), Span(start, last))

    def mark_first_assignment(self, span: Span) -> None:
        for number in range(len(self.tokens) - 1, -1, -1):
            kind, start, end = self.tokens[number]
            if start == span.start and kind & 7 == ASSIGNMENT:
                self.tokens[number] = (kind | NAME_FLAG, start, end)
                return

    def not_joined(self) -> None:
        """bash joins `a<(b)` to one word; nothing here reads that."""
        text, i = self.text, self.pos
        if i < self.end and text[i] in "<>" and text.startswith("(", i + 1):
            self.refuse("process substitution inside a word", i, i + 2)

    def assignment(self, more: bool) -> Assignment | None:
        """The assignment at `pos`, if there is one."""
        text, start, end = self.text, self.pos, self.end
        if text[start] not in NAME_START:
            return None
        i = start + 1
        while i < end and text[i] in NAME:
            i += 1
        if i < end and text[i] == "[":
            self.refuse("subscript before a command", start, i + 1)
        append = text.startswith("+=", i)
        if i >= end or not (append or text[i] == "="):
            return None
        name = text[start:i]
        self.pos = i + 1 + append
        if self.pos < end and text[self.pos] == "(":
            array = self.array(start)
            self.token(ASSIGNMENT, start, self.pos)
            return Assignment(name, None, append, array, Span(start, self.pos))
        value = self.value()
        self.token(ASSIGNMENT, start, self.pos)
        return Assignment(name, value, append, None, Span(start, self.pos))

    def array(self, start: int) -> tuple[Word, ...]:
        """`(words…)`; keyed elements are refused."""
        self.features.add("array")
        newline, self.newline = self.newline, 0
        words: list[Word] = []
        self.pos += 1
        while True:
            if self.pending and self.at_newline():
                self.refuse("newline in an array before a here-document's body", self.pos)
            self.newlines()
            if self.pos >= self.end:
                self.refuse("array without its end", start)
            c = self.text[self.pos]
            if c == ")":
                break
            if c in _ENDS or c == "[":
                self.refuse("unsupported in an array", self.pos)
            words.extend(self.expanded())
            self.not_joined()
        self.pos += 1
        self.newline = newline
        return tuple(words)

    def process_substitution(self, flag: int = 0) -> Word:
        text, start = self.text, self.pos
        self.features.add("process-substitution")
        self.pos += 2
        script = self.substituted(")", start)
        if self.pos < self.end and (text[self.pos] not in _ENDS or text[self.pos] == "("):
            self.refuse("process substitution inside a word", start, self.pos)
        self.not_joined()
        self.token(WORD | flag, start, self.pos)
        span = Span(start, self.pos)
        return Word((ProcessSubstitution(text[start], script, span),), span)

    def at_redirect(self, c: str) -> bool:
        """Whether a redirect starts at `pos`, where `c` stands; one that is not supported is refused."""
        text, i, end = self.text, self.pos, self.end
        if c in "<>":
            return not text.startswith("(", i + 1)
        if c == "&":
            return True
        if c in DIGITS:
            j = i + 1
            while j < end and text[j] in DIGITS:
                j += 1
            if j < end and text[j] in "<>":
                if j > i + 1 or text.startswith("(", j + 1):
                    self.refuse("number before a redirect that shells read differently", i, j + 1)
                return True
        elif c == "{":
            j = i + 1
            while j < end and text[j] in NAME:
                j += 1
            if text.startswith(("}<", "}>"), j) and j + 1 < end:
                self.refuse("redirect to a variable", i, j + 2)
        return False

    def redirect(self) -> Redirect:
        text, start = self.text, self.pos
        fd = None
        if text[start] in DIGITS:
            fd = int(text[start])
            self.token(NUMBER, start, start + 1)
            self.pos += 1
        i = self.pos
        operator = next(found for found in _REDIRECTS if text.startswith(found, i))
        self.pos += len(operator)
        if self.pos > self.end:
            self.refuse("redirect without a target", start, self.end)
        self.token(OPERATOR, i, self.pos)
        if operator[-1] in ">&" and text.startswith("!", self.pos):
            self.refuse("`!` after a redirect has a meaning in zsh", i, self.pos + 1)
        self.blanks()
        i = self.pos
        c = text[i] if i < self.end else ""
        if operator in ("<&", ">&"):
            target = self.duplicated(operator, fd, start)
        elif operator in ("<<", "<<-"):
            target = self.delimiter(operator)
        elif c in ("<", ">") and text.startswith("(", i + 1) and operator in ("<", ">", ">>"):
            target = self.process_substitution()
        elif not c or c in _ENDS:
            self.refuse("redirect without a target", start, self.pos)
        elif operator == "<<<":
            target = self.value()
            self.no_equals_expansion(target)
            self.token(WORD, i, self.pos)
        else:
            found = self.expanded()
            if len(found) != 1:
                self.refuse("redirect to several files", start, self.pos)
            target = found[0]
            self.token(WORD, i, self.pos)
        self.not_joined()
        return Redirect(operator, fd, target, Span(start, self.pos))

    def duplicated(self, operator: str, fd: int | None, start: int) -> Word:
        """What follows `>&` or `<&`: a digit, `-`, or /dev/null; bash expands other words twice."""
        text, i = self.text, self.pos
        j = i
        while j < self.end and text[j] not in _ENDS:
            j += 1
        target = text[i:j]
        if target == "-":
            self.token(OPERATOR, i, j)
        elif len(target) == 1 and target in DIGITS:
            self.token(NUMBER, i, j)
        elif target == "/dev/null" and operator == ">&" and fd is None:
            self.token(WORD, i, j)
        else:
            self.refuse("duplication of something else than a digit", start, j)
        self.pos = j
        return Word((Literal(target, range(i, j), False),), Span(i, j))

    def delimiter(self, operator: str) -> Word:
        """The delimiter of a here-document; stands in the tree until its body is known."""
        text, start = self.text, self.pos
        parts = self.parts(start, value=True, globs=False)
        span = Span(start, self.pos)
        plain = [part for part in parts if isinstance(part, Literal)]
        name = "".join(part.text for part in plain)
        if len(plain) != len(parts) or not name or "\n" in name or text[start : self.pos].startswith("$"):
            self.refuse("unsupported delimiter of a here-document", *span)
        quoted = name != text[start : self.pos]
        self.pending.append(HereDocument(name, quoted, operator == "<<-", span))
        self.features.add("here-document")
        if quoted:
            self.features.add("quoted-here-document")
        if self.depth > self.base_depth:
            self.features.add("nested-here-document")
        self.token(WORD, start, self.pos)
        return Word(parts, span)
