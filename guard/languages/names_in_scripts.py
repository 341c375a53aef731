"""Command language of shell scripts that paste names of files into a script for sed: zgrep, xzgrep and their kin.

Before gzip 1.12 and xz 5.2.6 a name of several lines became commands of sed, which write files and run programs
(CVE-2022-1271).
"""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_WITH_PATTERN = frozenset({"zgrep", "xzgrep"})
"""Programs whose first operand is a pattern, where no option gives one."""


def judge(call: Invocation) -> list[Outcome]:
    """`exec` for every name of a file that may have several lines."""
    names = call.operands
    if call.program in _WITH_PATTERN and call.given("-e") is None and names and not names[0].many:
        names = names[1:]
    message = f"some versions of `{call.program}` run what stands in a file's name behind a line end"
    return [
        Effect(Kind.EXEC, Reason("pasted-name", message, word.span, call.rule), word.text)
        for word in names
        if word.may_contain("\n")
    ]
