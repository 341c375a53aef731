"""command, builtin and exec: another command, in this shell (so a builtin it names changes this shell)."""

from __future__ import annotations

from guard.model.argument import Outcome, RunsArgv
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """The command; `command -v` and `-V` only look names up, and no operands are no command."""
    if not call.operands or call.given("-v", "-V"):
        return []
    return [RunsArgv(call.operands, builtin=True)]
