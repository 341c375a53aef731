"""Command language of programs that replace a word `@FILE` by the options written in that file.

binutils, gcc, javac and their kin expand it anywhere on the command line, behind `--` too, before options are read
(https://sourceware.org/binutils/docs/binutils/, "@FILE"). What such a file holds is not known: it may name a plugin to
load or a file to write.
"""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """`exec` for every word that is, or could become, `@FILE`."""
    values = [option.value for option in call.options if option.value is not None]
    message = "`@` at the start of a word makes the program read options from a file"
    return [
        Effect(Kind.EXEC, Reason("response-file", message, word.span, call.rule), word.text)
        for word in (*values, *call.operands)
        if word.may_start_with("@")
    ]
