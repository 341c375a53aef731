"""Operands of less and more: a word that starts with `+` holds keystrokes, and `+!command` runs a shell.

less reads options again behind a `$` inside such a word, and a line end inside a search ends the search
(https://man7.org/linux/man-pages/man1/less.1.html, "+").
"""

from __future__ import annotations

from guard.model.argument import Argument, Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_MOVES = frozenset({"+", "+F", "+G", "+g"})


def judge(call: Invocation) -> list[Outcome]:
    """`exec` for every word of keystrokes that is more than a line number, an end of the file or a plain search."""
    message = "keystrokes after `+` can run a command"
    return [
        Effect(Kind.EXEC, Reason("pager-keystrokes", message, word.span, call.rule))
        for word in call.operands
        if word.may_start_with("+") and not _harmless(word)
    ]


def _harmless(word: Argument) -> bool:
    text = word.text
    if text is None:
        return False
    rest = text[1:]
    if text in _MOVES or (rest.isascii() and rest.isdigit()):
        return True
    return rest.startswith("/") and all(char.isalnum() or char in " _.-:" for char in rest[1:])
