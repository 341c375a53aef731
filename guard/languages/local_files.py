"""Command language of programs whose operands are local files, but also URLs and other protocols (`tcp:…`)."""

from __future__ import annotations

from guard.model.argument import Argument, Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_FILES = ("-i", "-in", "-CAfile", "-CRLfile", "-trusted", "-untrusted")


def judge(call: Invocation) -> list[Outcome]:
    """`net_write` for every operand or named file that may name something else than a local file."""
    words = [option.value for option in call.options if option.name in _FILES and option.value is not None]
    message = "a colon before the first slash names a protocol, which may use the network"
    return [
        Effect(Kind.NET_WRITE, Reason("protocol-operand", message, word.span, call.rule), word.text)
        for word in (*words, *call.operands)
        if not _is_local(word)
    ]


def _is_local(word: Argument) -> bool:
    head, slash, _ = word.start.partition("/")
    return ":" not in head and (bool(slash) or word.text is not None)
