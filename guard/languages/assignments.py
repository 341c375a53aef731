"""Command language of sysctl, whose operands name kernel parameters, except that `NAME=VALUE` sets them.

A name is a path below /proc/sys with dots or slashes between its parts: `/../../etc/shadow`, the same with dots and
slashes swapped, and patterns that match `..` lead out of there, so only plain names are known to be parameters.
"""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """`system` for operands that may hold an equals sign, `read_secret` for others that are no plain names."""
    found: list[Outcome] = []
    for word in call.operands:
        if word.may_contain("="):
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
