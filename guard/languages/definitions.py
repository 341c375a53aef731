"""alias, and hash of zsh: `NAME=VALUE` makes a word mean something else; a name alone shows it, or looks it up."""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import opaque
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """Opaque for every operand that defines, or could define, something."""
    message = "changes what later commands mean"
    return [
        opaque("redefinition", message, word.span, rule=call.rule)
        for word in call.operands
        if word.text is None or word.may_contain("=")
    ]
