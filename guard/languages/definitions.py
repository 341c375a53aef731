"""alias: `NAME=VALUE` makes a word mean something else, which cannot be followed; a name alone shows it."""

from __future__ import annotations

from guard.languages.arguments import may_contain
from guard.model.argument import Outcome
from guard.model.effect import opaque
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """Opaque for every operand that defines, or could define, something."""
    message = "an alias changes what later commands mean"
    return [
        opaque("alias", message, word.span, rule=call.rule)
        for word in call.operands
        if word.text is None or may_contain(word, "=")
    ]
