"""Lists and pipelines: what joins commands, and where a list ends."""

from __future__ import annotations

from guard.model.record import TYPE_CHECKING
from guard.model.syntax import Command, CommandList, Function, Pipeline, Simple, Span
from guard.shell.conditional import Conditionals
from guard.shell.lexer import OPERATOR, WORD, Unit

if TYPE_CHECKING:
    from typing import NoReturn

_ENDS = frozenset(" \t\n;&|<>()")
_RESERVED_START = frozenset("!{}[cdefistuwf")
_RESERVED = frozenset(["!", "{", "}", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for"])
_RESERVED |= frozenset(["function", "if", "in", "select", "then", "time", "until", "while"])
_NOTHING: frozenset[str] = frozenset()


class Lists(Conditionals):
    """Reads lists. Every method starts on a token (blanks skipped) and leaves `pos` behind what it read."""

    def command(self, word: str) -> Command:
        """The command at `pos`, where the reserved word `word` (or none) stands."""
        raise NotImplementedError

    def reserved(self) -> str:
        """The reserved word at `pos`, or the empty string."""
        text, i, end = self.text, self.pos, self.end
        if i >= end or text[i] not in _RESERVED_START:
            return ""
        j = i + 1
        while j < end and text[j] not in _ENDS:
            j += 1
            if j - i > 8:
                return ""
        found = text[i:j]
        return found if found in _RESERVED else ""

    def take(self, word: str) -> None:
        """Steps over the operator or reserved word that stands at `pos`."""
        self.token(OPERATOR, self.pos, self.pos + len(word))
        self.pos += len(word)

    def expect(self, word: str) -> None:
        self.blanks()
        if self.reserved() != word:
            self.unexpected(f"`{word}` was expected")
        self.take(word)

    def unexpected(self, message: str) -> NoReturn:
        self.refuse(message, min(self.pos, max(len(self.text) - 1, 0)))

    def commands(self, closer: str, units: list[Unit]) -> Command | None:
        commands: list[Command] = []
        operators: list[str] = []
        outer_depth, self.base_depth = self.base_depth, self.depth
        while True:
            self.newlines()
            if self.pos >= self.end or self.text[self.pos] == closer:
                break
            first, start = len(self.tokens), self.pos
            features, self.features = self.features, set()
            while True:
                commands.append(self.and_or())
                more = self.separator(operators)
                self.blanks()
                at_end = self.pos >= self.end or self.text[self.pos] in ("\n", closer)
                if at_end:
                    break
                if not more:
                    self.unexpected("unexpected after a command")
            if self.pos < self.end and self.text[self.pos] == "\n":
                self.take_newline()
            units.append(Unit(first, len(self.tokens), start, self.pos, frozenset(self.features)))
            self.features |= features
        self.base_depth = outer_depth
        return self.joined(commands, operators)

    def joined(self, commands: list[Command], operators: list[str]) -> Command | None:
        if not commands:
            return None
        if len(commands) == 1 and operators == [";"]:
            return commands[0]
        span = Span(commands[0].span.start, commands[-1].span.end)
        return CommandList(tuple(commands), tuple(operators), span)

    def separator(self, operators: list[str]) -> bool:
        """Takes `;` or `&` after a command, if it is there, and notes the operator (newline and end count as `;`)."""
        self.blanks()
        text, i = self.text, self.pos
        c = text[i] if i < self.end else ""
        following = text[i + 1 : i + 2]
        if c == ";" and following not in (";", "&", "|"):
            operators.append(";")
        elif c == "&" and following not in ("&", ">", "|", "!"):
            operators.append("&")
        else:
            operators.append(";")
            return False
        self.take(c)
        return True

    def compound(self, stops: frozenset[str], closer: str = "", case: bool = False) -> Command | None:
        """The commands up to a reserved word of `stops`, to `closer`, or in `case` to `;;` (left for the caller)."""
        commands: list[Command] = []
        operators: list[str] = []
        while True:
            self.newlines()
            if self.at_stop(stops, closer, case):
                break
            commands.append(self.and_or())
            if not self.separator(operators) and not self.at_newline():
                if not self.at_stop(stops if self.after_compound(commands[-1]) else _NOTHING, closer, case):
                    self.unexpected("unexpected after a command")
                break
        return self.joined(commands, operators)

    def at_stop(self, stops: frozenset[str], closer: str, case: bool) -> bool:
        if self.pos >= self.end:
            self.unexpected("unexpected end")
        c = self.text[self.pos]
        if c == closer or (case and c == ";" and self.text[self.pos + 1 : self.pos + 2] in (";", "&")):
            return True
        return bool(stops) and self.reserved() in stops

    def after_compound(self, command: Command) -> bool:
        """Whether bash recognizes a reserved word right behind this command: it ends with one, or with `)`."""
        while isinstance(command, (Pipeline, CommandList)):
            command = command.commands[-1]
        if isinstance(command, Function):
            return self.after_compound(command.body)
        return not isinstance(command, Simple) and not command.redirects

    def and_or(self) -> Command:
        first = self.pipeline()
        self.blanks()
        text = self.text
        if not text.startswith(("&&", "||"), self.pos):
            return first
        commands, operators = [first], []
        while text.startswith(("&&", "||"), self.pos) and self.pos + 1 < self.end:
            operators.append(text[self.pos : self.pos + 2])
            self.take(operators[-1])
            self.newlines()
            commands.append(self.pipeline())
            self.blanks()
        operators.append(";")
        return CommandList(tuple(commands), tuple(operators), Span(first.span.start, commands[-1].span.end))

    def pipeline(self) -> Command:
        text, start = self.text, self.pos
        word = self.reserved()
        timed = word == "time"
        if timed:
            self.features.add("time")
            self.take("time")
            self.blanks()
            if text.startswith("-p", self.pos) and text[self.pos + 2 : self.pos + 3] in (" ", "\t"):
                self.token(WORD, self.pos, self.pos + 2)
                self.pos += 2
                self.blanks()
            if text.startswith(("-", "("), self.pos):
                self.unexpected("unsupported after `time`")
            word = self.reserved()
        negated = word == "!"
        if negated:
            self.take("!")
            if text[self.pos : self.pos + 1] not in (" ", "\t"):
                self.unexpected("a blank was expected after `!`")
            self.blanks()
            word = self.reserved()
        if word in ("!", "time"):
            self.unexpected(f"unexpected `{word}`")
        first = self.command(word)
        self.blanks()
        if not (text.startswith("|", self.pos) and not text.startswith("||", self.pos)):
            if not (negated or timed):
                return first
            return Pipeline((first,), negated, timed, Span(start, first.span.end))
        commands = [first]
        while text.startswith("|", self.pos) and not text.startswith("||", self.pos) and self.pos < self.end:
            self.take("|&" if text.startswith("|&", self.pos) else "|")
            self.newlines()
            word = self.reserved()
            if word in ("!", "time"):
                self.unexpected(f"unexpected `{word}`")
            commands.append(self.command(word))
            self.blanks()
        return Pipeline(tuple(commands), negated, timed, Span(start, commands[-1].span.end))
