"""printf: `-v NAME` and `%n` set variables; the numbers of `%d` are expressions to zsh; all else is data.

Source: https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html#index-printf
"""

from __future__ import annotations

from guard.languages.arguments import is_name, is_number
from guard.model.argument import Argument, Assigns, Hole, Outcome, Text
from guard.model.effect import opaque
from guard.model.invocation import Invocation

_INSTEAD = "`printf '%s\\n' \"$x\"`"
_BETWEEN = frozenset("#'-+ 0123456789.hjlLtz$")
_NUMERIC = frozenset("diouxXeEfFgGaA*")
_IN_NAMES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def judge(call: Invocation) -> list[Outcome]:
    """The variables that are set, and what could be evaluated."""
    words = call.operands
    if not words:
        return []
    first = words[0]
    found: list[Outcome] = []
    if first.text == "-v":
        name = words[1].text if len(words) > 1 else None
        if name is None or not is_name(name):
            return [opaque("variable-name", "`-v` needs a plain variable name", first.span, rule=call.rule)]
        names = tuple(word.text for word in words[2:] if word.text)
        value = Argument((Hole("any", words[1].span, (), names),), words[1].span)
        found.append(Assigns(name, value, False, words[1].span))
        words = words[2:]
    elif not first.many and len(words) == 1 and first.text is None:
        return []  # `-v` alone has no format, and `%n` alone no variable
    elif first.many or (first.text is None and _could_be_variable_option(first)):
        message = "decided at run time, and could be `-v NAME`"
        return [opaque("dynamic-option", message, first.span, rule=call.rule, instead=_INSTEAD)]
    elif first.text is not None and first.text.startswith("-v"):
        return [opaque("variable-name", "`-v` with its name attached", first.span, rule=call.rule)]
    if words and words[0].text == "--":
        words = words[1:]
    if not words:
        return found
    return found + _format(call, words[0], words[1:])


def _could_be_variable_option(word: Argument) -> bool:
    """Whether it could be `-vNAME` or `-va[…]`: both end in a name's character or a bracket."""
    if not word.may_start_with("-v"):
        return False
    last = word.pieces[-1]
    known = "".join(piece.text for piece in word.pieces if isinstance(piece, Text))
    return not (isinstance(last, Text) and not last.text.endswith("]") and not set(known) <= _IN_NAMES)


def _format(call: Invocation, form: Argument, arguments: tuple[Argument, ...]) -> list[Outcome]:
    text = form.text
    if text is None:
        doubtful = [word for word in arguments if word.text is None or is_name(word.text) or "[" in word.text]
        if form.may_contain("%") and doubtful:
            message = "the format is decided at run time, and with `%n` this names a variable to set"
            return [opaque("dynamic-format", message, doubtful[0].span, rule=call.rule, instead=_INSTEAD)]
        known = "".join(piece.text for piece in form.pieces if isinstance(piece, Text))
        conversions = _conversions(known)
        everywhere = any(conversion in _NUMERIC for conversion in conversions)
        conversions = ["d" if everywhere else "s"]
    else:
        conversions = _conversions(text)
    if "n" in conversions:
        return [opaque("printf-n", "`%n` sets a variable", form.span, rule=call.rule)]
    unordered = "$" in (text or "$") or any(word.many for word in arguments)  # `%1$d` of zsh; words of any number
    numeric = [conversion in _NUMERIC for conversion in conversions]
    for index, word in enumerate(arguments):
        used = any(numeric) if unordered else bool(numeric) and numeric[index % len(numeric)]
        if used and not is_number(word):
            message = "not known to be a number, and some shells evaluate it as an expression"
            return [opaque("arithmetic", message, word.span, rule=call.rule, instead=_INSTEAD)]
    return []


def _conversions(text: str) -> list[str]:
    """One letter for each argument that the format takes: `*`, `T` or the conversion."""
    found: list[str] = []
    index = 0
    while (index := text.find("%", index)) >= 0:
        index += 1
        while index < len(text) and (text[index] in _BETWEEN or text[index] == "*"):
            if text[index] == "*":
                found.append("*")
            index += 1
        if text[index : index + 1] == "(":
            end = text.find(")", index)
            if end < 0:
                break
            index = end + 1
        if index < len(text) and text[index] != "%":
            found.append(text[index])
        index += 1
    return found
