"""sed's command line: which words are the script, for every sed that may read it.

The pieces of `-e` are one script, a newline between two (`-e 'a\\' -e text`). Without `-e` and `-f` the first operand
is the script. Two readings of the line are not GNU's: seds that stop looking for options at the first operand (the
BSDs, POSIXLY_CORRECT) take that operand for the script though `-e` follows; and the BSDs' `-l` takes no argument.
"""

from __future__ import annotations

from guard.languages import sed
from guard.languages.arguments import joined
from guard.languages.texts import union
from guard.model.argument import Argument, Outcome, WritesPath
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation


def judge(call: Invocation) -> list[Outcome]:
    """The outcomes of all scripts on the line; the options themselves are the rule's."""
    pieces = [option for option in call.options if option.name == "-e"]
    found: list[Outcome] = _line_length(call)
    scripts = [option.value for option in pieces if option.value is not None]
    if scripts:
        found += sed.outcomes_of(joined(scripts, "\n", scripts[0].span), call.rule)
    first = call.operands[0] if call.operands else None
    if first is not None and (not pieces or first.span.start < pieces[0].span.start):
        otherwise = bool(pieces) or call.given("-f") is not None
        found += sed.outcomes_of(first, call.rule, tolerant=otherwise)
    return union(found + _in_place(call))


def _in_place(call: Invocation) -> list[Outcome]:
    """`-i` rewrites the files. The BSDs take the next word for its suffix: `-i '' SCRIPT FILE…`."""
    given = call.given("-i", "-I")
    if given is None:
        return []
    scripts = 0 if call.given("-e", "-f") else 1
    if call.operands and call.operands[0].text == "":
        scripts += 1
    message = f"{given.name} rewrites the files"
    files = [
        WritesPath(operand._replace(span=given.span), message, rule=call.rule) for operand in call.operands[scripts:]
    ]
    suffix = given.value
    if files and (suffix is None or suffix.text == ""):
        return [*files]
    if suffix is not None and files:
        message = f"{given.name} keeps a copy of each file, under a name that its suffix makes"
    return [*files, Effect(Kind.WRITE, Reason("sed-in-place", message, given.span, call.rule))]


def _line_length(call: Invocation) -> list[Outcome]:
    given = call.given("-l")
    value: Argument | None = None if given is None else given.value
    if value is None or (value.text is not None and value.text.isascii() and value.text.isdigit()):
        return []
    return [
        opaque("sed-line-length", "not a number: some seds would take it for the script", value.span, rule=call.rule)
    ]
