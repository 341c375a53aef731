"""The first witness: bashlex 0.18, for the grammar only.

Only its tokenizer and its LALR parser run. `expansionlimit=-1` keeps its code for words and substitutions from running
at all: that code misreads quotes, sees one line of a substitution, and hangs on some texts. A substitution is given to
bashlex as a text of its own.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from guard.shell.bashlex_tables import load
from guard.shell.lexer import ASSIGNMENT, NEWLINE, NUMBER, OPERATOR, WORD, Token

_parser = load()
_types = _parser.tokenizer.tokentype
_KINDS: dict[Any, int] = {kind: OPERATOR for kind in _types} | {
    _types.WORD: WORD,
    _types.ASSIGNMENT_WORD: ASSIGNMENT,
    _types.NUMBER: NUMBER,
}


class Refused(Exception):  # noqa: N818  (a result)
    """bashlex cannot read the text (or has failed on it, which is the same to us)."""


def complete_command(text: str, start: int, deadline: float) -> tuple[list[Token], int]:
    """The tokens of the complete command at `start`, and the place behind its newline and here-documents.

    `text` must end with a newline. Raises `Refused`.
    """
    reader = _parser._parser(text, expansionlimit=-1)
    tokenizer = reader.tok
    tokenizer._shell_input_line_index = start
    read_token = tokenizer.token
    tokens: list[Token] = []
    newline = 0

    def recorded() -> Any:
        nonlocal newline
        token = read_token()
        kind = token.ttype
        if kind is _types.NEWLINE:
            newline = NEWLINE
        elif kind is not None and kind is not _types.EOF:
            tokens.append((_KINDS[kind] | newline, token.lexpos, token.endlexpos))
            newline = 0
            if monotonic() > deadline:
                raise Refused
        return token

    tokenizer.token = recorded
    try:
        reader.parse()
    except Exception as error:  # it raises ParsingError, but also NotImplementedError, IndexError, AssertionError…
        raise Refused from error
    return tokens, tokenizer._shell_input_line_index
