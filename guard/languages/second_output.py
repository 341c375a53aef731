"""Programs that print to the second operand if it is `-`, and otherwise write a file, named after the first operand
where there is no second (pdftotext)."""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """`write` unless the second operand is exactly `-`; no operands do nothing."""
    words = call.operands
    if not words or (len(words) == 2 and not words[0].many and words[1].text == "-"):
        return []
    message = f"`{call.program}` writes a file unless its second operand is `-`"
    reason = Reason("write-operand", message, words[-1].span, call.rule)
    return [Effect(Kind.WRITE, reason)]
