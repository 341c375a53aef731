"""Command language of programs whose operands only name things, except that `NAME=VALUE` sets them (sysctl)."""

from __future__ import annotations

from guard.model.argument import Argument, Hole, Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """`system` for every operand that holds, or could come to hold, an equals sign."""
    found: list[Outcome] = []
    for word in call.operands:
        if _may_contain(word, "="):
            message = f"`{call.program} NAME=VALUE` sets the value"
            reason = Reason("assignment-operand", message, word.span, call.rule, f"{call.program} NAME")
            found.append(Effect(Kind.SYSTEM, reason, word.text))
    return found


def _may_contain(word: Argument, char: str) -> bool:
    for piece in word.pieces:
        if not isinstance(piece, Hole):
            if char in piece.text:
                return True
        elif piece.values:
            if any(char in value for value in piece.values):
                return True
        elif piece.domain not in ("number", "integer"):
            return True
    return False
