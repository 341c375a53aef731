"""Arguments as the guard knows them: exact text where it is certain, holes where bash decides at run time."""

from __future__ import annotations

from collections.abc import Sequence

from guard.model.effect import Effect
from guard.model.record import NamedTuple
from guard.model.syntax import Span

_SIGNS = "-+_./:@^~,= \t\n"
_NEVER_FIRST = {
    "any": "",
    "component": "/",
    "undashed": "-",
    "plain": "-",
    "hex": _SIGNS,
    "integer": _SIGNS[1:].rstrip(),
    "number": _SIGNS.rstrip(),
    "numbers": _SIGNS.rstrip(),
}
"""Characters that texts of a domain never start with (not all of them: enough for option prefixes)."""
_DIGITS = "0123456789"
_MADE_OF = {
    "plain": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + _DIGITS + "_./:@^~+,=-\r\n",
    "hex": _DIGITS + "abcdef\r\n",
    "integer": _DIGITS + "- \t\r\n",
    "number": _DIGITS + " \t\r\n",
    "numbers": _DIGITS + " \t\r\n",
}
"""All characters that texts of a domain are made of; domains that are not here can hold any."""


class Text(NamedTuple):
    """Known characters. `at[i]` is the offset in the command of the character behind `text[i]`."""

    text: str
    at: Sequence[int]


class Hole(NamedTuple):
    """Characters that are decided at run time.

    `domain` bounds them: `number` is zero or more decimal digits, perhaps with blanks before them, `numbers` any number
    of such lines; `integer` is one or more decimal digits, perhaps with a minus sign before them; `hex` is zero or more
    of the digits of hexadecimal numbers; `plain` is a possibly empty run of letters, digits and
    `_ . / : @ ^ ~ + , = -` that does not start with `-`. The last two may be several lines.
    `undashed` is anything (blanks and newlines too) that does not start with `-`; `component` is what `*` stands for in
    a path, anything without a slash; `any` is anything. `values`, where not empty, lists every text it can be.
    `names` are paths that it may be among others, as the text shows (`*` for what is not known).
    """

    domain: str
    span: Span
    values: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class Argument(NamedTuple):
    """One word as the program may receive it.

    `many`: an unquoted expansion, glob or list of names: it may become no argument, one, or several, each of which fits
    the pieces (so `docs/` followed by a Hole means that every one of them starts with `docs/`).
    """

    pieces: tuple[Text | Hole, ...]
    span: Span
    many: bool = False

    @property
    def text(self) -> str | None:
        """The exact text, or None where any of it is unknown (never None for the empty word)."""
        if self.many:
            return None
        found = []
        for piece in self.pieces:
            if isinstance(piece, Hole):
                return None
            found.append(piece.text)
        return "".join(found)

    @property
    def at(self) -> Sequence[int]:
        """Source offsets of `text`, one for each character."""
        if len(self.pieces) == 1 and isinstance(self.pieces[0], Text):
            return self.pieces[0].at
        return [offset for piece in self.pieces if isinstance(piece, Text) for offset in piece.at]

    @property
    def start(self) -> str:
        """The known characters at the beginning, possibly none."""
        found = []
        for piece in self.pieces:
            if isinstance(piece, Hole):
                break
            found.append(piece.text)
        return "".join(found)

    def may_start_with(self, prefix: str) -> bool:
        """Whether some value of this argument starts with `prefix`."""
        for piece in self.pieces:
            if isinstance(piece, Text):
                size = min(len(piece.text), len(prefix))
                if piece.text[:size] != prefix[:size]:
                    return False
                prefix = prefix[size:]
                if not prefix:
                    return True
            elif piece.values:
                rest = self._fill(piece)
                return any(other.may_start_with(prefix) for other in rest)
            elif prefix[0] not in _NEVER_FIRST[piece.domain]:
                return True  # else only the empty text could let this prefix through
        return False

    def _fill(self, hole: Hole) -> list[Argument]:
        index = self.pieces.index(hole)
        filled = (Text(value, [hole.span.start] * len(value)) for value in hole.values)
        return [Argument((piece, *self.pieces[index + 1 :]), self.span, self.many) for piece in filled]

    def may_contain(self, char: str) -> bool:
        """Whether some value of this argument holds the character."""
        return any(
            char in piece.text
            if isinstance(piece, Text)
            else any(char in value for value in piece.values or (_MADE_OF.get(piece.domain, char),))
            for piece in self.pieces
        )

    def alternatives(self) -> list[str] | None:
        """Every text this argument can be, or None where they are not known or too many (over 64)."""
        if self.many:
            return None
        found = [""]
        for piece in self.pieces:
            if isinstance(piece, Hole) and not piece.values:
                return None
            choices = (piece.text,) if isinstance(piece, Text) else piece.values
            if len(found) * len(choices) > 64:
                return None
            found = [left + right for left in found for right in choices]
        return found


class Printed(NamedTuple):
    """What the standard output of a command is bound to; empty: nothing is known of it.

    `domain` is that of a Hole, for the whole text, or says how it comes from the input (see docs/rules-format.md).
    `values`, where not empty, lists every text that it can be, but for line ends at its end. `records` is the domain of
    each of its parts that end with a NUL character. `names` are paths that it may be or hold, as in a Hole.
    """

    domain: str = ""
    values: tuple[str, ...] = ()
    records: str = ""
    names: tuple[str, ...] = ()


NOTHING = Printed()


def exact(text: str, span: Span) -> Argument:
    """An argument of known text that stands nowhere verbatim: every character points at the span's start."""
    return Argument((Text(text, [span.start] * len(text)),), span)


def without_start(word: Argument, count: int) -> Argument:
    """The word without its first `count` characters, which must be known."""
    pieces: list[Text | Hole] = []
    for piece in word.pieces:
        if count and isinstance(piece, Text):
            size = min(count, len(piece.text))
            count -= size
            if size < len(piece.text):
                pieces.append(Text(piece.text[size:], piece.at[size:]))
        elif isinstance(piece, Hole) or piece.text:
            pieces.append(piece)
    return Argument(tuple(pieces), word.span, word.many)


class RunsShell(NamedTuple):
    """`text` is run by a shell (`sh -c`, `eval`): it is to be read and classified as a script.

    `parameters` are `$0`, `$1`, … inside it. `shell` says which shell runs it: `child` (a new one, which does not have
    this shell's variables and functions), `this` (`eval`), or `later` (this one, at a time that is not known: `trap`).
    `strict`: it ends at the first command that fails, or variable that is not set (`sh -e`, `sh -u`).
    """

    text: Argument
    parameters: tuple[Argument, ...] = ()
    shell: str = "child"
    strict: bool = False


class RunsArgv(NamedTuple):
    """A program is run with these words (`xargs`, `env`, `find -exec`, `timeout`): to be classified as a command.

    `words[0]` names the program. `assignments` are environment variables set for it (`env X=1 cmd`). `directory` is the
    working directory it gets, where that differs. `builtin` words may also name shell builtins (`command`, `builtin`).
    """

    words: tuple[Argument, ...]
    assignments: tuple[tuple[str, Argument], ...] = ()
    directory: Argument | None = None
    builtin: bool = False


class ReadsPath(NamedTuple):
    """A file is read; `classify` turns it into `read` or `read_secret` by its path."""

    path: Argument


class WritesPath(NamedTuple):
    """A file is created or changed (`delete`: removed or truncated). /dev/null and the like are no effect, unless the
    name itself is removed or made `anew`: as a `file`, or as `any` thing, a folder or a link too.
    """

    path: Argument
    reason_message: str
    delete: bool = False
    rule: str | None = None
    instead: str | None = None
    anew: str = ""


class Assigns(NamedTuple):
    """A shell variable is set (`export`, `declare`, `read`); `value` is None where it is not known from the text."""

    name: str
    value: Argument | None
    exported: bool
    span: Span


Outcome = Effect | RunsShell | RunsArgv | ReadsPath | WritesPath | Assigns
