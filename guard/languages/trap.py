"""trap: `trap ACTION SIGNAL…` keeps a text that the shell runs later; `-`, an empty text or one operand do not."""

from __future__ import annotations

from guard.model.argument import Outcome, RunsShell
from guard.model.effect import opaque
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """The action."""
    operands = call.operands
    if call.given("-p", "-l", "-P") or not operands:
        return []
    action = operands[0]
    if any(word.many for word in operands):
        return [opaque("dynamic-trap", "may become several words", action.span, rule=call.rule)]
    if action.text in ("-", "") or (len(operands) == 1 and action.text is not None):
        return []
    return [RunsShell(action, shell="later")]
