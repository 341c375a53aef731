"""The bottom layer of our reader: a place in the text, blanks, comments, newlines and here-document bodies.

The layers are classes that each add what they know: Lexer, `expansions.Expansions`, `words.Words`, `grammar.Grammar`.
Every layer refuses (raises `Refusal`) what it has no rule for.
"""

from __future__ import annotations

from time import thread_time

from guard.model.record import TYPE_CHECKING, NamedTuple
from guard.model.syntax import Redirect, Script, Word

if TYPE_CHECKING:
    from typing import Any, NoReturn

MAX_DEPTH = 50
MAX_COMMANDS = 500
MAX_TOKENS = 4_000
MAX_NESTED_CHARACTERS = 64 * 1024

# Kinds of token in a trace. NEWLINE is added to the first token of a line, NAME to the first word of a simple command
# and to the first assignment of a command that has no words.
WORD, ASSIGNMENT, NUMBER, OPERATOR, SUBSTITUTION = 1, 2, 3, 4, 5
KIND, NEWLINE, NAME = 7, 8, 16

Token = tuple[int, int, int]
"""(kind and flags, start, end)."""


class Refusal(Exception):  # noqa: N818  (it is a result, not an error)
    """Raised inside the reader where it has no rule for the text; becomes `Unreadable`."""

    def __init__(self, code: str, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.start = start
        self.end = end


class Unit(NamedTuple):
    """One complete command line of a text or of a substitution (bash reads and runs a text unit by unit).

    `first` and `last` are token numbers (half-open), `start` the place of its first token, `end` the place after its
    newline and here-documents; `features` are the constructs in it that one of the witnesses cannot read.
    """

    first: int
    last: int
    start: int
    end: int
    features: frozenset[str]


class Region(NamedTuple):
    """A text that bash reads as a script of its own: the whole text, or the inside of a substitution."""

    start: int
    end: int
    first: int
    last: int
    units: tuple[Unit, ...]


class Trace(NamedTuple):
    """What our reader saw, as the witnesses can be asked about it.

    `tokens` are in the order in which a parser finishes them: those of a substitution stand before the word it is in.
    `joins` are the places of backslash-newline pairs between words; `data` are the here-documents without expansions.
    """

    tokens: list[Token]
    regions: list[Region]
    joins: list[int]
    data: list[Data]
    features: frozenset[str]


class TracedScript(Script):
    """A Script that remembers its trace, so that `witness` need not read the text again."""

    trace: Trace


class Data(NamedTuple):
    """A here-document whose delimiter is quoted: the place and the text of its delimiter, and the place of its body."""

    span: tuple[int, int]
    delimiter: str
    body: tuple[int, int]


class HereDocument(NamedTuple):
    """A here-document whose body has not been reached yet."""

    delimiter: str
    quoted: bool
    strip_tabs: bool
    span: tuple[int, int]


class Lexer:
    """State of one reading. `end` is where the text ends for the moment (inside backquotes: at the closing one)."""

    def __init__(self, text: str, deadline: float) -> None:
        self.text = text
        self.pos = 0
        self.end = len(text)
        self.deadline = deadline
        self.depth = 0
        self.substitution_depth = 0
        self.command_count = 0
        self.nested_characters = 0
        self.ascii = text.isascii()
        self.tokens: list[Token] = []
        self.regions: list[Region] = []
        self.joins: list[int] = []
        self.features: set[str] = set()
        self.newline = 0
        self.pending: list[HereDocument] = []
        self.bodies: dict[tuple[int, int], Word] = {}
        self.data: list[Data] = []

    def refuse(self, message: str, start: int, end: int | None = None, code: str = "syntax") -> NoReturn:
        raise Refusal(code, message, start, min(len(self.text), start + 1 if end is None else end))

    def token(self, kind: int, start: int, end: int) -> None:
        self.tokens.append((kind | self.newline, start, end))
        self.newline = 0
        if len(self.tokens) > MAX_TOKENS:
            self.refuse(f"more than {MAX_TOKENS} tokens", start, code="bounds")

    def deeper(self, start: int) -> None:
        """Counts a nesting; `self.depth -= 1` undoes it."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(f"nested more than {MAX_DEPTH} deep", start, code="bounds")

    def count_command(self, start: int) -> None:
        self.command_count += 1
        if self.command_count > MAX_COMMANDS:
            self.refuse(f"more than {MAX_COMMANDS} commands", start, code="bounds")
        if thread_time() > self.deadline:
            self.refuse("reading took too long", start, code="bounds")

    def blanks(self) -> None:
        """Skips blanks, backslash-newline between words, and a comment; stops at a newline."""
        text, i, end = self.text, self.pos, self.end
        start = i
        while i < end:
            c = text[i]
            if c == " " or c == "\t":
                i += 1
            elif c == "\\" and text.startswith("\n", i + 1) and i + 1 < end:
                before = text[i - 1] if i > start or i == 0 else ""
                following = text[i + 2 : i + 3]
                if not (i == 0 or (i > start and before in " \t\n") or following in (" ", "\t")):
                    self.refuse("backslash-newline that joins two parts of a word", i, i + 2)
                self.joins.append(i)
                i += 2
            elif c == "#":
                newline = text.find("\n", i, end)
                newline = end if newline < 0 else newline
                self.features.add("comment")
                i = newline
                break
            else:
                break
        self.pos = i

    def at_newline(self) -> bool:
        """Skips blanks; whether a newline follows."""
        self.blanks()
        return self.pos < self.end and self.text[self.pos] == "\n"

    def take_newline(self) -> None:
        """Steps over a newline and the here-document bodies that follow it."""
        self.pos += 1
        self.newline = NEWLINE
        while self.pending:
            self.here_document(self.pending.pop(0))

    def newlines(self) -> None:
        while self.at_newline():
            self.take_newline()

    def here_document(self, document: HereDocument) -> None:
        """Reads the body that starts here, up to the line that is the delimiter."""
        text, start = self.text, self.pos
        line = start
        lines: list[tuple[int, int]] = []
        while True:
            if line >= self.end:
                self.refuse("here-document without its end", *document.span)
            newline = text.find("\n", line, self.end)
            stop = self.end if newline < 0 else newline
            first = line
            while document.strip_tabs and first < stop and text[first] == "\t":
                first += 1
            if text[first:stop] == document.delimiter:
                break
            if newline < 0:
                self.refuse("here-document without its end", *document.span)
            if not document.quoted and text[stop - 1] == "\\" and stop > first:
                self.refuse("backslash at the end of a line in a here-document", stop - 1)
            lines.append((first, stop + 1))
            line = stop + 1
        body_end = line
        if document.quoted:
            self.data.append(Data(document.span, document.delimiter, (start, body_end)))
        self.bodies[document.span] = self.body(document, lines, start, body_end)
        self.pos = min(stop + 1, self.end)

    def body(self, document: HereDocument, lines: list[tuple[int, int]], start: int, end: int) -> Word:
        raise NotImplementedError

    def fill(self, node: Any) -> Any:
        """The same tree with the bodies of here-documents in place of their delimiters."""
        if not isinstance(node, tuple):
            return node
        if isinstance(node, Redirect) and node.operator in ("<<", "<<-"):
            return node._replace(target=self.fill(self.bodies[node.target.span]))
        items = [self.fill(item) for item in node]
        return type(node)(*items) if hasattr(node, "_fields") else tuple(items)
