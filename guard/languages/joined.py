"""Programs that join their operands with blanks and have a shell run the text: eval, watch."""

from __future__ import annotations

from guard.languages.arguments import joined
from guard.languages.sh import shell_text
from guard.model.argument import Outcome, RunsArgv, RunsShell
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """The text, for `watch -x` the command; no operands are no command."""
    if not call.operands:
        return []
    if call.given("-x"):
        return [RunsArgv(call.operands)]
    text = joined(call.operands, " ", call.span)
    return [RunsShell(text, shell="this")] if call.program == "eval" else shell_text(call, text)
