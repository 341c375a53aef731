"""exit, return, break, continue, shift, …: their numbers are expressions to some shells, so they must be known ones."""

from __future__ import annotations

from guard.languages.arguments import may_contain
from guard.model.argument import Outcome
from guard.model.effect import opaque
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """Opaque for a word in which a subscript could be evaluated."""
    message = "not known to be a number, and some shells evaluate it as an expression"
    return [
        opaque("arithmetic", message, word.span, rule=call.rule) for word in call.operands if may_contain(word, "[")
    ]
