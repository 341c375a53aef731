"""kill: signals processes, except signal 0, which only asks whether they exist, and the lists of `-l` and `-L`."""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_INSTEAD = "`kill -0 PID` asks whether it runs"


def judge(call: Invocation) -> list[Outcome]:
    """`process` unless no signal is sent."""
    words = call.operands
    first = words[0].text if words else None
    if first in ("-l", "-L"):
        return []
    if first == "-0":
        rest = words[1:]
        alone = len(rest) == 1 and not rest[0].many
        if alone or not any(word.may_start_with("-") for word in rest):
            return []
    reason = Reason("signal", f"`{call.program}` signals processes", call.span, call.rule, _INSTEAD)
    return [Effect(Kind.PROCESS, reason)]
