"""A parser of awk programs that finds where they write, read, run commands and call functions.

Precedence does not matter for that, so an expression is read as operands and operators in turn. What matters: where an
operand stands (there `/` opens a regular expression), what parentheses enclose (outside them `>` in print redirects),
and which constant string is the whole name of a file or command. The grammar is the union of POSIX awk, gawk, mawk,
busybox and the One True Awk; what it accepts beyond one of them, that one refuses before it runs anything.
"""

from __future__ import annotations

from guard.languages.awk_lexer import Lexer, SyntaxDoubt, Token
from guard.model.record import NamedTuple

_BUILTIN_NAMES = (
    "and asort asorti atan2 bindtextdomain close compl cos dcgettext dcngettext exp fflush gensub gsub index int "
    "intdiv intdiv0 isarray length log lshift match mkbool mktime or patsplit rand rshift sin split sprintf sqrt srand "
    "strftime strtonum sub substr system systime tolower toupper typeof xor"
)
BUILTINS = frozenset(_BUILTIN_NAMES.split())
_CHANGING = frozenset(["asort", "asorti", "gsub", "match", "patsplit", "split", "sub"])
_ASSIGNING = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "^=", "**="])
_BINARY = _ASSIGNING | frozenset(
    ["+", "-", "*", "/", "%", "^", "**", "<", ">", "<=", ">=", "==", "!=", "~", "!~", "&&", "||", "in"]
)
_STARTS = frozenset(["name", "call", "number", "string", "(", "$", "!", "++", "--", "getline", "@"])
_ENDS = frozenset(["newline", ";", "}", "end"])
_CLOSERS = frozenset([")", "]", "}", "{", ";", ",", ":", "end", "&&", "||", "==", "!=", "<", ">", "<=", ">=", "~"])
# Before these a constant command is all that `| getline` takes; `|` binds tighter.
_LOOSER = frozenset(["", "=", "&&", "||", "?", ":"])


class Known(NamedTuple):
    """A string that an expression begins with, and whether it is all of it."""

    token: Token
    whole: bool


class Use(NamedTuple):
    """One thing that a program does. `kind` is `write`, `read`, `pipe` (a command at the other end), `two-way`,
    `system`, `indirect` (gawk's `@`), `argv` (a file name put into ARGV) or `string` (one that names a socket of gawk).

    `text[start:end]` is the smallest part that does it; `target` the string that names its file or command.
    """

    kind: str
    start: int
    end: int
    target: Known | None


class Parser:
    """One parse of one text; `uses`, `names` and `calls` are valid after a SyntaxDoubt too, as far as it came."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self.uses: list[Use] = []
        self.names: set[str] = set()
        self.calls: dict[str, Token] = {}
        self.functions: set[str] = set()
        self.within = ""  # the function whose arguments are being read
        self.before = Token("end", None, 0, 0)
        self.now = self.before

    def advance(self) -> Token:
        """Goes on to the next token and returns the one left behind."""
        self.before = self.now
        self.now = self.lexer.token(self.now.end)
        return self.before

    def expect(self, kind: str) -> Token:
        if self.now.kind != kind:
            self.unexpected()
        return self.advance()

    def unexpected(self) -> None:
        certain = self.now.kind in (")", "]", ":", ",", "?")
        raise SyntaxDoubt(f"unexpected {self.now.value or self.now.kind}", self.now.start, certain)

    def newlines(self) -> None:
        while self.now.kind == "newline":
            self.advance()

    def run(self) -> None:
        """The whole program; raises SyntaxDoubt."""
        self.now = self.lexer.token(0)
        while True:
            while self.now.kind in ("newline", ";"):
                self.advance()
            kind = self.now.kind
            if kind == "end":
                return
            if kind in ("function", "func"):
                self.function()
            elif kind in ("BEGIN", "END", "BEGINFILE", "ENDFILE"):
                self.advance()
                self.block()
            elif kind == "{":
                self.block()
            else:
                self.pattern()

    def pattern(self) -> None:
        self.expression()
        if self.now.kind == ",":
            self.advance()
            self.newlines()
            self.expression()
        if self.now.kind == "{":
            self.block()
        elif self.now.kind not in ("newline", ";", "end"):
            self.unexpected()

    def function(self) -> None:
        self.advance()
        if self.now.kind not in ("name", "call"):
            self.unexpected()
        self.functions.add(self.advance().value or "")
        self.expect("(")
        while self.now.kind in ("name", ",", "newline"):
            self.advance()
        self.expect(")")
        self.newlines()
        self.block()

    def block(self) -> None:
        """`{ … }`. Heads of compound statements are read as prefixes of the statement that follows."""
        self.expect("{")
        depth = 1
        while depth:
            kind = self.now.kind
            if kind in ("newline", ";"):
                self.advance()
            elif kind in ("{", "}"):
                depth += 1 if kind == "{" else -1
                self.advance()
            elif kind == "end":
                self.unexpected()
            else:
                self.statement(kind)

    def statement(self, kind: str) -> None:
        if kind in ("if", "while", "switch"):
            self.advance()
            self.expect("(")
            self.expressions(")")
        elif kind == "for":
            self.advance()
            self.expect("(")
            self.for_head()
        elif kind in ("else", "do"):
            self.advance()
        elif kind in ("case", "default"):
            self.advance()
            if kind == "case":
                self.expression()
            self.expect(":")
        else:
            self.simple(kind)
            if self.now.kind not in _ENDS:
                self.unexpected()

    def for_head(self) -> None:
        while self.now.kind != ")":
            if self.now.kind in (";", "newline"):
                self.advance()
            else:
                self.simple(self.now.kind)
                if self.now.kind not in (";", ")"):
                    self.unexpected()
        self.advance()

    def simple(self, kind: str) -> None:
        if kind in ("print", "printf"):
            self.print()
        elif kind in ("next", "nextfile", "break", "continue"):
            self.advance()
        elif kind in ("exit", "return"):
            self.advance()
            if self.now.kind not in _ENDS:
                self.expression()
        else:
            if kind == "delete":
                self.advance()
            self.expression()

    def print(self) -> None:
        self.advance()
        if self.now.kind not in _ENDS and self.now.kind not in (">", ">>", "|", "|&"):
            self.expression(printing=True)
            while self.now.kind == ",":
                self.advance()
                self.newlines()
                self.expression(printing=True)
        while self.now.kind in (">", ">>", "|", "|&"):
            sign = self.advance()
            target = self.expression(printing=True)
            if self.now.kind not in _ENDS and self.now.kind != ")":
                target = None
            self.use({"|": "pipe", "|&": "two-way"}.get(sign.kind, "write"), sign.start, target)

    def use(self, kind: str, start: int, target: Known | None) -> None:
        self.uses.append(Use(kind, start, self.before.end, target))

    def expressions(self, closer: str) -> Known | None:
        """Expressions with commas between, and `closer`; what is known of a single one."""
        known = self.expression()
        while self.now.kind == ",":
            known = None
            self.advance()
            self.newlines()
            self.expression()
        self.expect(closer)
        return known

    def expression(self, printing: bool = False) -> Known | None:
        """`printing`: `>` and `|` end it, as they redirect the output of print."""
        choices = 0
        operator = ""
        first: Known | None = None
        while True:
            start = self.now.start
            known = self.operand(operator)
            first = known if not operator else first and first._replace(whole=False)
            while self.now.kind in ("|", "|&") and self.following().kind == "getline":
                two_way = self.advance().kind == "|&"
                self.advance()
                self.variable()
                constant = known if operator in _LOOSER and not printing else None
                self.use("two-way" if two_way else "pipe", start, constant)
                known = first = None
                operator = "|"
            kind = self.now.kind
            if kind in _BINARY and not (printing and kind == ">"):
                self.advance()
                if kind in ("&&", "||"):
                    self.newlines()
                operator, first = kind, None
            elif kind == "?" or (kind == ":" and choices):
                choices += 1 if kind == "?" else -1
                self.advance()
                self.newlines()
                operator, first = kind, None
            elif kind in _STARTS:
                operator = "concatenation"
            else:
                return first

    def following(self) -> Token:
        return self.lexer.token(self.now.end)

    def operand(self, operator: str) -> Known | None:
        start = self.now.start
        prefix = ""
        while self.now.kind in ("!", "-", "+", "++", "--", "$"):
            prefix = self.advance().kind
        kind = self.now.kind
        known: Known | None = None
        assignable = prefix == "$"
        if kind == "string":
            known = Known(self.advance(), True)
            if (known.token.value or "").startswith("/inet"):
                self.use("string", known.token.start, known)
        elif kind == "number":
            self.advance()
        elif kind in ("/", "/="):
            self.now = self.lexer.regex(self.now.start)
            self.advance()
        elif kind == "(":
            self.advance()
            known = self.expressions(")")
        elif kind == "name":
            assignable = True
            self.name()
        elif kind == "call":
            self.call()
        elif kind == "getline":
            self.advance()
            self.variable()
            if self.now.kind == "<":
                self.advance()
                target = self.operand("<")
                if target and self.now.kind in _STARTS:
                    target = target._replace(whole=False)
                self.use("read", start, target)
        elif kind == "@":
            self.advance()
            self.advance()
            self.use("indirect", start, None)
            raise SyntaxDoubt("gawk's @", start)
        else:
            missing = f"an operand is missing before {self.now.value or kind}"
            raise SyntaxDoubt(missing, self.now.start, bool(operator or prefix) and kind in _CLOSERS)
        while assignable and self.now.kind in ("++", "--"):
            self.advance()
        return None if prefix else known

    def variable(self) -> None:
        """The variable that getline sets, if one stands there."""
        if self.now.kind == "name":
            if self.now.value == "ARGV":
                self.use("argv", self.now.start, None)
            self.name()
        elif self.now.kind == "$":
            self.operand("$")

    def name(self) -> None:
        """A variable, an element of an array, or a built-in function with a blank before its `(`, or without one."""
        token = self.advance()
        name = token.value or ""
        self.names.add(name)
        if name in BUILTINS and self.now.kind == "(":
            self.arguments(token)
            return
        if name == "system":
            self.unexpected()
        leading = self.before.start
        subscript = self.now.kind == "["
        if subscript:
            self.advance()
            self.expressions("]")
        if name == "ARGV" and self.argv_changes(subscript):
            self.use("argv", leading, None)

    def argv_changes(self, subscript: bool) -> bool:
        """Whether ARGV may get a file name that is not in the program: gawk opens /inet/… operands as sockets."""
        if not subscript:
            return self.within in _CHANGING or self.within in self.calls
        if self.now.kind in _ASSIGNING:
            following = self.following()
            return following.kind != "string" or self.lexer.token(following.end).kind not in _ENDS
        return self.within in _CHANGING

    def call(self) -> None:
        token = self.advance()
        if token.value not in BUILTINS:
            self.calls.setdefault(token.value or "", token)
        self.arguments(token)

    def arguments(self, function: Token) -> None:
        outer, self.within = self.within, function.value or ""
        self.expect("(")
        self.newlines()
        known: Known | None = None
        if self.now.kind == ")":
            self.advance()
        else:
            known = self.expressions(")")
        self.within = outer
        if function.value == "system":
            self.use("system", function.start, known)
