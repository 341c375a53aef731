"""awk's command line: which words are the program, and operands that are no files.

gawk joins the programs of `-e` with newlines. Other awks do not know `-e`: where its argument is glued on, they pass
over it and take the first operand for the program. An operand `name=value` is data. gawk opens an operand under `/inet`
as a connection.
"""

from __future__ import annotations

from guard.languages import awk
from guard.languages.arguments import joined
from guard.languages.texts import union
from guard.model.argument import Argument, Outcome, ReadsPath
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """The outcomes of the program and of the operands; the options themselves are the rule's."""
    pieces = [option for option in call.options if option.name == "-e"]
    scripts = [option.value for option in pieces if option.value is not None]
    operands = call.operands
    found: list[Outcome] = []
    if scripts:
        program = joined(scripts, "\n", scripts[0].span)
        found += awk.judge(program, call)
        found += [
            opaque("awk-source", "other awks take the first operand for the program", option.span, rule=call.rule)
            for option in pieces
            if option.value is not None and option.value.span.start == option.span.start
        ]
    elif operands and call.given("-f", "-E") is None:
        found += awk.judge(operands[0], call)
        operands = operands[1:]
    for operand in operands:
        found += _operand(operand, call.rule)
    return union(found)


def _operand(operand: Argument, rule: str) -> list[Outcome]:
    if operand.start.startswith("/inet"):
        reason = Reason("awk-socket", "gawk opens /inet/… operands as connections", operand.span, rule)
        return [Effect(Kind.NET_READ, reason, operand.text)]
    if operand.start.startswith("-") and operand.text != "-":  # all but one awk stop at the first operand
        return [opaque("awk-option", "an option behind the program: awks differ", operand.span, rule=rule)]
    name, equals, _ = operand.start.partition("=")
    if equals and name.isidentifier():
        return []
    return [ReadsPath(operand)]
