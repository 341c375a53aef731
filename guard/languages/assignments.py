"""Command language of sysctl, whose operands name kernel parameters, except that `NAME=VALUE` sets them.

A name is a path below /proc/sys with dots or slashes between its parts: `/../../etc/shadow`, the same with dots and
slashes swapped, and patterns that match `..` lead out of there, so only plain names are known to be parameters.
"""

from __future__ import annotations

from guard.model.argument import Argument, Hole, Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """`system` for operands that may hold an equals sign, `read_secret` for others that are no plain names."""
    found: list[Outcome] = []
    for word in call.operands:
        if _may_contain(word, "="):
            message = f"`{call.program} NAME=VALUE` sets the value"
            reason = Reason("assignment-operand", message, word.span, call.rule)
            found.append(Effect(Kind.SYSTEM, reason, word.text))
        elif word.text is not None and not _is_name(word.text):
            message = "could lead out of the kernel's parameters to any file"
            found.append(Effect(Kind.READ_SECRET, Reason("parameter-name", message, word.span, call.rule), word.text))
    return found


def _is_name(text: str) -> bool:
    """Whether the parts between single dots and slashes are all plain."""
    parts = text.replace("/", ".").split(".")
    return all(part and part.replace("-", "").replace("_", "").replace(":", "").isalnum() for part in parts)


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
