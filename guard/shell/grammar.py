"""The shell grammar's compound commands and function definitions, by recursive descent."""

from __future__ import annotations

from guard.model.record import TYPE_CHECKING
from guard.model.syntax import (
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Command,
    For,
    Function,
    Group,
    If,
    Redirect,
    Span,
    While,
    Word,
)
from guard.shell.expansions import NAME, NAME_START
from guard.shell.lexer import WORD
from guard.shell.lists import Lists

if TYPE_CHECKING:
    from collections.abc import Callable

_ENDS = frozenset(" \t\n;&|<>()")
_FUNCTION_NAME = NAME | frozenset("-.:")
_NOTHING: frozenset[str] = frozenset()


class Grammar(Lists):
    """The whole reader. Every method starts on a token (blanks skipped) and leaves `pos` behind what it read."""

    def command(self, word: str) -> Command:
        """The command at `pos`, where the reserved word `word` (or none) stands."""
        if not word:
            if self.pos < self.end and self.text[self.pos] == "(":
                return self.nested(self.subshell)
            return self.function_or_simple()
        readers: dict[str, Callable[[], Command]] = {
            "{": self.group,
            "[[": self.conditional,
            "case": self.case,
            "for": self.for_loop,
            "function": self.function_keyword,
            "if": self.if_command,
            "until": self.while_loop,
            "while": self.while_loop,
        }
        if word not in readers:
            self.unexpected(f"unexpected `{word}`")
        return self.nested(readers[word])

    def nested(self, reader: Callable[[], Command]) -> Command:
        self.deeper(self.pos)
        found = reader()
        self.depth -= 1
        return found

    def function_or_simple(self) -> Command:
        text, start = self.text, self.pos
        i = start
        while i < self.end and text[i] in _FUNCTION_NAME:
            i += 1
        j = i
        while j < self.end and text[j] in " \t":
            j += 1
        if i == start or j >= self.end or text[j] != "(":
            return self.simple()
        self.token(WORD, start, i)
        self.pos = j
        return self.function(text[start:i], start)

    def function_keyword(self) -> Function:
        text, start = self.text, self.pos
        self.take("function")
        self.blanks()
        i = self.pos
        while self.pos < self.end and text[self.pos] in _FUNCTION_NAME:
            self.pos += 1
        if self.pos == i:
            self.unexpected("a name was expected")
        self.token(WORD, i, self.pos)
        name = text[i : self.pos]
        self.blanks()
        return self.function(name, start)

    def function(self, name: str, start: int) -> Function:
        """The rest of a definition: `()`, unless `function` was written, and the body."""
        self.features.add("function")
        text = self.text
        if text.startswith("(", self.pos):
            self.take("(")
            self.blanks()
            if not (text.startswith(")", self.pos) and self.pos < self.end):
                self.unexpected("`)` was expected")
            self.take(")")
        self.newlines()
        word = self.reserved()
        if not word and not text.startswith("(", self.pos):
            self.unexpected("a compound command was expected")
        body = self.command(word)
        return Function(name, body, Span(start, body.span.end))

    def redirects(self) -> tuple[Redirect, ...]:
        """The redirects behind a compound command."""
        found = []
        while True:
            self.blanks()
            if self.pos >= self.end:
                break
            c = self.text[self.pos]
            if c in "<>" or c in "0123456789{" or (c == "&" and self.text.startswith("&>", self.pos)):
                if not self.at_redirect(c):
                    break
                found.append(self.redirect())
            else:
                break
        return tuple(found)

    def required(self, stops: frozenset[str], closer: str = "") -> Command:
        found = self.compound(stops, closer)
        if found is None:
            self.unexpected("a command was expected")
        return found

    def span(self, start: int, end: int, redirects: tuple[Redirect, ...]) -> Span:
        return Span(start, redirects[-1].span.end if redirects else end)

    def group(self) -> Group:
        start = self.pos
        self.take("{")
        body = self.required(frozenset("}"))
        self.take("}")
        end = self.pos
        redirects = self.redirects()
        return Group(body, False, redirects, self.span(start, end, redirects))

    def subshell(self) -> Group | ArithmeticCommand:
        start = self.pos
        if self.text.startswith("((", start):
            return self.arithmetic_command()
        self.take("(")
        body = self.required(_NOTHING, ")")
        self.take(")")
        end = self.pos
        redirects = self.redirects()
        return Group(body, True, redirects, self.span(start, end, redirects))

    def arithmetic_command(self) -> ArithmeticCommand:
        start = self.pos
        self.features.add("arithmetic-command")
        self.take("((")
        expression = self.expression(")", False, start)
        self.closing_parentheses()
        end = self.pos
        redirects = self.redirects()
        return ArithmeticCommand(expression, redirects, self.span(start, end, redirects))

    def closing_parentheses(self) -> None:
        if not self.text.startswith("))", self.pos) or self.pos + 2 > self.end:
            self.unexpected("`))` was expected")
        self.take("))")

    def if_command(self) -> If:
        start = self.pos
        self.take("if")
        branches = []
        otherwise = None
        while True:
            condition = self.required(frozenset(["then"]))
            self.take("then")
            branches.append((condition, self.required(frozenset(["elif", "else", "fi"]))))
            word = self.reserved()
            self.take(word)
            if word != "elif":
                break
        if word == "else":
            otherwise = self.required(frozenset(["fi"]))
            self.take("fi")
        end = self.pos
        redirects = self.redirects()
        return If(tuple(branches), otherwise, redirects, self.span(start, end, redirects))

    def while_loop(self) -> While:
        start = self.pos
        self.take(self.reserved())
        condition = self.required(frozenset(["do"]))
        body, end = self.do_group()
        redirects = self.redirects()
        return While(condition, body, redirects, self.span(start, end, redirects))

    def do_group(self) -> tuple[Command, int]:
        """`do … done` and the place behind it."""
        self.expect("do")
        body = self.required(frozenset(["done"]))
        self.take("done")
        return body, self.pos

    def for_loop(self) -> For | ArithmeticFor:
        text, start = self.text, self.pos
        self.take("for")
        self.blanks()
        if text.startswith("((", self.pos):
            return self.arithmetic_for(start)
        i = self.pos
        while self.pos < self.end and text[self.pos] in NAME:
            self.pos += 1
        name = text[i : self.pos]
        if not name or name[0] not in NAME_START:
            self.unexpected("a name was expected")
        self.token(WORD, i, self.pos)
        self.newlines()
        words: list[Word] | None = None
        if self.reserved() == "in":
            self.take("in")
            words = []
            while not self.at_newline():
                c = text[self.pos] if self.pos < self.end else ""
                if not c or c in _ENDS:
                    break
                first = self.pos
                words.extend(self.expanded())
                self.token(WORD, first, self.pos)
                self.not_joined()
            if self.pos >= self.end or text[self.pos] not in "\n;":
                self.unexpected("`;` or a newline was expected")
        self.blanks()
        if self.pos < self.end and text[self.pos] == ";":
            self.take(";")
        self.newlines()
        body, end = self.do_group()
        redirects = self.redirects()
        found = None if words is None else tuple(words)
        return For(name, found, body, redirects, self.span(start, end, redirects))

    def arithmetic_for(self, start: int) -> ArithmeticFor:
        self.features.add("arithmetic-for")
        first = self.pos
        self.take("((")
        found = []
        for stop in ";;)":
            found.append(self.expression(stop, False, first))
            if stop == ";":
                if not self.text.startswith(";", self.pos):
                    self.unexpected("`;` was expected")
                self.pos += 1
        self.closing_parentheses()
        header = found[0]._replace(
            names=tuple(name for part in found for name in part.names),
            inner=tuple(inner for part in found for inner in part.inner),
            assigns=tuple(name for part in found for name in part.assigns),
            span=Span(first, self.pos),
        )
        self.blanks()
        if self.pos < self.end and self.text[self.pos] == ";":
            self.take(";")
        self.newlines()
        body, end = self.do_group()
        redirects = self.redirects()
        return ArithmeticFor(header, body, redirects, self.span(start, end, redirects))

    def case(self) -> Case:
        text, start = self.text, self.pos
        self.features.add("case")
        self.take("case")
        self.blanks()
        first = self.pos
        subject = Word(self.parts(first, value=False, globs=False), Span(first, self.pos))
        if self.pos == first:
            self.unexpected("a word was expected")
        self.token(WORD, first, self.pos)
        self.newlines()
        self.expect("in")
        arms = []
        while True:
            self.newlines()
            if self.reserved() == "esac":
                break
            patterns = self.patterns()
            body = self.compound(frozenset(["esac"]), case=True)
            arms.append((patterns, body))
            if self.reserved() == "esac":
                break
            self.take(next(found for found in (";;&", ";;", ";&") if text.startswith(found, self.pos)))
        self.take("esac")
        end = self.pos
        redirects = self.redirects()
        return Case(subject, tuple(arms), redirects, self.span(start, end, redirects))

    def patterns(self) -> tuple[Word, ...]:
        text = self.text
        if text.startswith("(", self.pos):
            self.take("(")
        found = []
        while True:
            self.blanks()
            first = self.pos
            found.append(self.word())
            self.token(WORD, first, self.pos)
            self.blanks()
            c = text[self.pos] if self.pos < self.end else ""
            if c not in ("|", ")"):
                self.unexpected("`)` was expected")
            self.take(c)
            if c == ")":
                return tuple(found)
