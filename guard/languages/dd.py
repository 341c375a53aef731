"""Operands of dd: `NAME=VALUE` words; `if=` is read, `of=` is written, the others are settings."""

from __future__ import annotations

from guard.model.argument import Argument, Outcome, ReadsPath, WritesPath, without_start
from guard.model.effect import opaque
from guard.model.invocation import Invocation

_SETTINGS = frozenset(
    {"bs", "cbs", "conv", "count", "files", "fillchar", "ibs", "iflag", "iseek", "obs", "skip", "speed", "status"}
)
"""`seek=` and `oflag=` are left out: they act on the output, and `seek=` truncates it."""


def judge(call: Invocation) -> list[Outcome]:
    """What is read and written; opaque for a word whose name is not known."""
    return [outcome for word in call.operands for outcome in _operand(word, call)]


def _operand(word: Argument, call: Invocation) -> list[Outcome]:
    name, equals, _ = word.start.partition("=")
    if not equals or word.many or name not in {"if", "of", *_SETTINGS}:
        return [opaque("unknown-operand", "not an operand that dd is known to have", word.span, rule=call.rule)]
    value = without_start(word, len(name) + 1)
    if name == "if":
        return [ReadsPath(value)]
    if name == "of":
        return [WritesPath(value, "`of=` writes this file", rule=call.rule)]
    return []
