"""Builtins that set variables: declare and its kin, read, mapfile, getopts, unset.

A name must be a plain one: in `a[…]` bash evaluates the subscript, which can run commands. So it does with the value of
an integer variable, and with one that starts with `(` where the variable is an array.
Source: https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html
"""

from __future__ import annotations

from guard.languages.arguments import is_name, is_number
from guard.model.argument import Argument, Assigns, Outcome, without_start
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation

_EVALUATING = {
    "-i": "bash evaluates what an integer variable is set to as an expression",
    "-n": "a reference to a variable hides which one is set or read",
}
_NUMBERS = frozenset(["-t", "-n", "-N", "-u", "-c", "-O", "-s"])


def judge(call: Invocation) -> list[Outcome]:
    """The variables that are set."""
    if call.program in ("declare", "export", "local", "readonly"):
        return _declared(call)
    if call.program == "unset":
        return _unset(call)
    words = list(call.operands)
    if call.program == "getopts":
        words = words[1:2]
    found: list[Outcome] = [Assigns(name, None, False, call.span) for name in _implied(call)]
    for option in call.options:
        if option.name in _NUMBERS and option.value is not None and not is_number(option.value):
            message = "not known to be a number, and some shells evaluate it as an expression"
            found.append(opaque("arithmetic", message, option.span, rule=call.rule))
    array = call.given("-a")
    if call.program == "read" and array is not None and array.value is not None:
        words.append(array.value)
    for word in words:
        name = word.text
        if name is None or not is_name(name):
            found.append(_not_plain(call, word))
        else:
            found.append(Assigns(name, None, False, word.span))
    return found


def _implied(call: Invocation) -> list[str]:
    """Variables that are set without being named."""
    if call.program == "getopts":
        return ["OPTARG"]
    if call.operands:
        return []
    return ["REPLY"] if call.program == "read" else ["MAPFILE"]


def _not_plain(call: Invocation, word: Argument) -> Effect:
    message = "not a plain variable name: bash evaluates a subscript"
    return opaque("variable-name", message, word.span, rule=call.rule)


def _declared(call: Invocation) -> list[Outcome]:
    shows = call.given("-f", "-F", "-p") is not None
    if shows and not any(word.text is None or "=" in word.text for word in call.operands):
        return []
    found: list[Outcome] = []
    if call.given("-f", "-F"):  # to zsh `-F` makes a number, whose value is an expression
        found.append(opaque("evaluated-variable", "functions have no values", call.span, rule=call.rule))
    for option in call.options:
        if option.name in _EVALUATING and call.program != "export":
            found.append(opaque("evaluated-variable", _EVALUATING[option.name], option.span, rule=call.rule))
    exported = call.program == "export" or call.given("-x") is not None
    is_array = call.given("-a", "-A") is not None
    for word in call.operands:
        name, equals, _ = word.start.partition("=")
        plain = name.removesuffix("+")
        if word.many or not is_name(plain) or (not equals and word.text is None):
            found.append(_not_plain(call, word))
            continue
        value = without_start(word, len(name) + 1) if equals else None
        if is_array and value is not None and value.may_start_with("("):
            message = "bash reads this text as a list of words and expands it"
            found.append(opaque("array-value", message, word.span, rule=call.rule))
        known = value if name == plain and not is_array else None
        found.append(Assigns(plain, known, exported, word.span))
    return found


def _unset(call: Invocation) -> list[Outcome]:
    if call.given("-f"):
        return []
    found: list[Outcome] = []
    for word in call.operands:
        name = word.text
        if name is None or not is_name(name):
            found.append(_not_plain(call, word))
        elif name == "PATH":
            message = "without PATH bash runs programs from the working directory"
            found.append(Effect(Kind.EXEC, Reason("environment", message, word.span, call.rule), name))
    return found
