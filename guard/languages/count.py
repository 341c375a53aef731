"""exit, return, break, continue, shift, caller: their numbers are expressions to zsh, names in them evaluated again."""

from __future__ import annotations

from guard.languages.arguments import is_number
from guard.model.argument import Outcome
from guard.model.effect import opaque
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """Opaque for a word that could be evaluated; the words of ulimit (`-n`, `unlimited`) only have no subscript."""
    message = "not known to be a number, and some shells evaluate it as an expression"
    return [
        opaque("arithmetic", message, word.span, rule=call.rule)
        for word in call.operands
        if (word.may_contain("[") if call.program == "ulimit" else not is_number(word))
    ]
