"""The first witness: bashlex 0.18, for the grammar only.

Only its tokenizer and its LALR parser run. `expansionlimit=-1` keeps its code for words and substitutions from running
at all: that code misreads quotes, sees one line of a substitution, and hangs on some texts. A substitution is given to
bashlex as a text of its own.
"""

from __future__ import annotations

from time import thread_time

from guard.model.record import TYPE_CHECKING
from guard.shell.bashlex_tables import load
from guard.shell.lexer import ASSIGNMENT, NEWLINE, NUMBER, OPERATOR, WORD, Token

if TYPE_CHECKING:
    from typing import Any

_parser = load()
_types = _parser.tokenizer.tokentype
_NEWLINE, _EOF = _types.NEWLINE, _types.EOF
_KINDS: dict[Any, int] = dict.fromkeys(_types, OPERATOR) | {
    _types.WORD: WORD,
    _types.ASSIGNMENT_WORD: ASSIGNMENT,
    _types.NUMBER: NUMBER,
}
# The parsing loop looks these up all the time; bashlex keeps them in a read-only mapping written in Python.
_parser.yaccparser.action = dict(_parser.yaccparser.action)
_parser.yaccparser.goto = dict(_parser.yaccparser.goto)
# So it does these, in a table of sets, several times for every character.
for _class in ("meta", "quote", "exp", "break"):
    _members = frozenset(c for c, classes in _parser.tokenizer.sh_syntaxtab.items() if _class in classes)
    setattr(_parser.tokenizer, f"_shell{_class}", _members.__contains__)
# An assertion about bashlex's own nodes, which are not used; it fails on `while a⏎do` without need.
_parser.handleAssert = lambda production, holds: None


class _Flags(set):  # type: ignore[type-arg]
    """bashlex's set of parser states, of which it asks `state & flag` for every token (its own makes a set of each).

    A plain `set` as the base, because `set[…]` would need `typing` at run time.
    """

    __slots__ = ()

    def __and__(self, flag: Any) -> Any:
        return flag in self

    def __ior__(self, flag: Any) -> _Flags:  # type: ignore[misc]
        self.add(flag)
        return self


class Refused(Exception):  # noqa: N818  (a result)
    """bashlex cannot read the text (or has failed on it, which is the same to us)."""


def complete_command(text: str, start: int, deadline: float) -> tuple[list[Token], int]:
    """The tokens of the complete command at `start`, and the place behind its newline and here-documents.

    `text` must end with a newline. Raises `Refused`.
    """
    reader = _parser._parser(text, expansionlimit=-1, tokenizerargs={"parserstate": _Flags()})
    tokenizer = reader.tok
    tokenizer._shell_input_line_index = start
    read_token = tokenizer.token
    tokens: list[Token] = []
    newline = 0

    def recorded() -> Any:
        nonlocal newline
        token = read_token()
        kind = token.ttype
        if kind is _NEWLINE:
            newline = NEWLINE
        elif kind is not None and kind is not _EOF:
            tokens.append((_KINDS[kind] | newline, token.lexpos, token.endlexpos))
            newline = 0
            if not len(tokens) & 63 and thread_time() > deadline:
                raise Refused
        return token

    tokenizer.token = recorded
    try:
        reader.parse()
    except Exception as error:  # it raises ParsingError, but also NotImplementedError, IndexError, AssertionError…
        raise Refused from error
    return tokens, tokenizer._shell_input_line_index
