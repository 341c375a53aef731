"""Programs that paste their operands into a shell command: FreeBSD's and macOS's whereis runs `man -w NAME` for each.

https://cgit.freebsd.org/src/tree/usr.bin/whereis/whereis.c
"""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@^~+,=-")


def judge(call: Invocation) -> list[Outcome]:
    """`exec` for every operand that is not known to be made of characters which mean nothing to a shell."""
    message = f"`{call.program}` may paste this word into a shell command"
    return [
        Effect(Kind.EXEC, Reason("pasted-operand", message, word.span, call.rule), word.text)
        for word in call.operands
        if word.text is None or not set(word.text) <= _PLAIN
    ]
