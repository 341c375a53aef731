"""What begins with `$` or a backquote: parameters, arithmetic and substitutions.

Refused, because a value would be evaluated as code or because zsh reads it differently: `${!x}`, `${x@P}`, `$[…]`,
`$"…"`, subscripts that are not digits, `@` or `*`, `$name[…]`, `$#name`, `$=name`.
"""

from __future__ import annotations

from guard.model.syntax import Arithmetic, Command, CommandSubstitution, Parameter, Part, Script, Span, Word
from guard.shell.arithmetic import Expressions
from guard.shell.legacy import closing_parenthesis
from guard.shell.lexer import MAX_NESTED_CHARACTERS, SUBSTITUTION, Region, Unit

NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
DIGITS = frozenset("0123456789")
NAME = NAME_START | DIGITS
_SPECIAL = frozenset("@*#?-$!")
_TRANSFORMS = frozenset("QEAaUuLKk")
_AFTER_PROCESS_ID = ("(", "{", "[", "'", '"', "`", "$")
_SUBSCRIPT_OF_ZSH = frozenset("0123456789-^!.@*")


class Expansions(Expressions):
    """Reads expansions; `quoted` says whether they stand in double quotes or in a here-document."""

    def commands(self, closer: str, units: list[Unit]) -> Command | None:
        raise NotImplementedError

    def operand(self, quoted: bool, stops: str) -> Word:
        raise NotImplementedError

    def dollar(self, quoted: bool) -> Part | None:
        """The expansion at `pos`, or None (and `pos` unchanged) where the `$` is an ordinary character."""
        text, i = self.text, self.pos
        c = text[i + 1] if i + 1 < self.end else ""
        if c in NAME_START if c else False:
            j = i + 2
            while j < self.end and text[j] in NAME:
                j += 1
            self.no_zsh_subscript(i, j)
            self.pos = j
            return Parameter(text[i + 1 : j], "", (), quoted, Span(i, j))
        if c == "{":
            return self.braced(quoted)
        if c == "(":
            if text.startswith("(", i + 2):
                return self.arithmetic_expansion(quoted)
            self.pos = i + 2
            return CommandSubstitution(self.substituted(")", i), quoted, Span(i, self.pos))
        if c and (c in DIGITS or c in _SPECIAL):
            if c == "#" and i + 2 < self.end and (text[i + 2] in NAME or text[i + 2] in "{@*"):
                self.refuse("`$#name` is a length in zsh", i, i + 3)
            if c == "$" and text[i + 2 : i + 3] in _AFTER_PROCESS_ID:
                self.refuse("`$$` before what bash takes for an expansion while it looks for quotes", i, i + 3)
            self.no_zsh_subscript(i, i + 2)
            self.pos = i + 2
            return Parameter(c, "", (), quoted, Span(i, i + 2))
        following = text[i + 2 : i + 3]
        if c == "[" or (c == '"' and not quoted) or c == "`" or (c == "\\" and following == "\n"):
            self.refuse("unsupported expansion", i, i + 2)
        if c and c in "~=^+" and following and (following in NAME_START or following in "{("):
            self.refuse("expansion that zsh reads differently", i, i + 3)
        return None

    def no_zsh_subscript(self, start: int, end: int) -> None:
        """zsh takes `$name[…]` as a subscript; refused where evaluating it could reach a name or a substitution."""
        text = self.text
        if end < self.end and text[end] == "[":
            j = end + 1
            while j < self.end and text[j] in _SUBSCRIPT_OF_ZSH:
                j += 1
            if not text.startswith("]", j):
                self.refuse("`$name[…]` is a subscript in zsh", start, j)

    def arithmetic_expansion(self, quoted: bool) -> Arithmetic:
        start = self.pos
        self.deeper(start)
        self.features.add("arithmetic-expansion")
        self.pos = start + 3
        found = self.expression(")", quoted, start)
        if not self.text.startswith("))", self.pos) or self.pos + 2 > self.end:
            self.refuse("not clearly arithmetic", start, self.pos)
        self.pos += 2
        self.depth -= 1
        return found._replace(span=Span(start, self.pos))

    def substituted(self, closer: str, start: int) -> Script:
        """The script from `pos` to `closer` (or to the end, where that is empty); `pos` is left behind the closer."""
        text, first = self.text, self.pos
        self.deeper(start)
        self.count_command(start)
        outer = (self.pending, self.features, self.newline, self.substitution_depth)
        self.pending, self.features, self.newline = [], set(), 0
        self.substitution_depth += 1
        token = len(self.tokens)
        units: list[Unit] = []
        body = self.commands(closer, units)
        last = self.pos
        if closer and not (last < self.end and text[last] == closer):
            self.refuse("substitution without its end", start, start + 2)
        if self.pending:
            self.refuse("here-document without its end", *self.pending[0].span)
        self.regions.append(Region(first, last, token, len(self.tokens), tuple(units)))
        inner, depth = self.features, self.depth
        self.pending, self.features, self.newline, self.substitution_depth = outer
        self.depth = depth - 1
        if self.pending and "\n" in text[first:last]:
            self.refuse("newline in a substitution before a here-document's body", start, last)
        if closer and inner & {"comment", "case", "here-document"} and closing_parenthesis(text, first) != last:
            self.refuse("substitution whose end older shells see elsewhere", start, last)
        self.features |= inner
        self.nested_characters += last - first
        if self.nested_characters > MAX_NESTED_CHARACTERS:
            self.refuse("too much text in nested substitutions", start, last, code="bounds")
        self.pos = last + len(closer)
        self.tokens.append((SUBSTITUTION, start, last + 1))
        return Script(text, body)

    def backquote(self, quoted: bool) -> CommandSubstitution:
        """`` `…` `` without escapes that mean something to the backquotes themselves."""
        text, start = self.text, self.pos
        i = start + 1
        while i < self.end and text[i] != "`":
            if text[i] == "\\":
                if text[i + 1 : i + 2] in ("$", "`", "\\", "\n", '"', ""):
                    self.refuse("escape inside backquotes", i, i + 2)
                i += 1
            elif text[i] == '"' and quoted:
                self.refuse("double quotes inside quoted backquotes", i)
            i += 1
        if i >= self.end:
            self.refuse("backquote without its end", start)
        outer_end, self.end = self.end, i
        self.pos = start + 1
        self.features.add("backquotes")
        script = self.substituted("", start)
        if self.pos != i:
            self.refuse("unexpected in backquotes", self.pos)
        self.end, self.pos = outer_end, i + 1
        return CommandSubstitution(script, quoted, Span(start, i + 1))

    def braced(self, quoted: bool) -> Parameter:
        """`${…}`. A subscript becomes the start of the operator (`[@]`, `[0]:-`)."""
        text, start = self.text, self.pos
        self.deeper(start)
        i = start + 2
        length = text.startswith("#", i) and not text.startswith("#}", i)
        i += length
        j = i
        if j < self.end and text[j] in NAME_START:
            while j < self.end and text[j] in NAME:
                j += 1
        elif j < self.end and text[j] in DIGITS:
            while j < self.end and text[j] in DIGITS:
                j += 1
        elif j < self.end and text[j] in _SPECIAL and text[j] != "!":
            j += 1
        if j == i:
            self.refuse("unsupported parameter expansion", start, start + 3)
        name = text[i:j]
        operator = ""
        if text.startswith("[", j):
            close = text.find("]", j, self.end)
            subscript = text[j + 1 : close]
            if close < 0 or not (subscript in ("@", "*") or (subscript and all(c in DIGITS for c in subscript))):
                self.refuse("subscript that bash would evaluate", j, max(close, j) + 1)
            operator, j = text[j : close + 1], close + 1
        self.pos = j
        words: tuple[Word, ...] = ()
        if length:
            operator = "#length"
        elif not text.startswith("}", j):
            more, words = self.operation(quoted, start)
            operator += more
        if self.pos >= self.end or text[self.pos] != "}":
            self.refuse("unsupported parameter expansion", start, self.pos + 1)
        self.pos += 1
        self.depth -= 1
        return Parameter(name, operator, words, quoted, Span(start, self.pos))

    def operation(self, quoted: bool, start: int) -> tuple[str, tuple[Word, ...]]:
        """The operator at `pos` and its words; leaves `pos` on the closing brace."""
        text, i = self.text, self.pos
        c = text[i] if i < self.end else " "
        two = text[i : i + 2]
        if c in "-=+?" or two in (":-", ":=", ":+", ":?"):
            operator = c if c in "-=+?" else two
            self.pos += len(operator)
            return operator, (self.operand(quoted, "}"),)
        if c == ":":
            words: list[Word] = []
            while text.startswith(":", self.pos) and len(words) < 2:
                self.pos += 1
                found = self.expression(":}", quoted, start)
                words.append(Word((found,), found.span))
            return ":", tuple(words)
        if c in "#%^,":
            operator = two if two == c + c else c
            self.pos += len(operator)
            return operator, (self.operand(quoted, "}"),)
        if c == "/":
            operator = two if two in ("//", "/#", "/%") else c
            self.pos += len(operator)
            pattern = self.operand(quoted, "/}")
            if not text.startswith("/", self.pos):
                return operator, (pattern,)
            self.pos += 1
            return operator, (pattern, self.operand(quoted, "}"))
        if c != "@" or two[1:] not in _TRANSFORMS:
            self.refuse("unsupported parameter expansion", start, i + 1)
        self.pos += 2
        return two, ()
