"""Programs that write their operands, and of which some versions take an option behind an operand for an operand.

`xxd a -p` writes a file named `-p`; so do `uniq a -c` and `tee a -a` with BSD's getopt, and `mktemp a.XXX -u` makes the
file (https://man.freebsd.org/cgi/man.cgi?query=getopt&sektion=3). `date 0102 -j` sets the clock there.
"""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import opaque
from guard.model.invocation import Invocation

_COUNTING = {"date": frozenset({"-j"})}
"""Programs of which only these options must stand first."""


def judge(call: Invocation) -> list[Outcome]:
    """Opaque for every option that does not stand before all operands."""
    if not call.operands:
        return []
    first = call.operands[0].span.start
    counting = _COUNTING.get(call.program)
    message = f"some versions of `{call.program}` take an option behind an operand for a file: put the options first"
    return [
        opaque("late-option", message, option.span, rule=call.rule)
        for option in call.options
        if option.span.start >= first and (counting is None or option.name in counting)
    ]
