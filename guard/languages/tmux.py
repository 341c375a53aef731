"""Command language of tmux: formats can run programs (`#(…)`), and a word that ends in `;` begins another command.

A format is read here only as far as it is sure to run nothing: plain variables, conditions and modifiers that do not
expand the value of a variable again (`E:` and `T:` do, and the title of a pane is whatever its program printed).
https://man.openbsd.org/tmux#FORMATS
"""

from __future__ import annotations

from guard.model.argument import Argument, Hole, Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_INSTEAD = "`tmux ls`"
_MODIFIERS = "=!<>|&abcdlmnpqtw"
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@-")


def judge(call: Invocation) -> list[Outcome]:
    """`exec` for every format that may run a program and every word that may end the command."""
    if not call.path and not call.given("-V"):
        return [Effect(Kind.PROCESS, Reason("starts-session", "starts a session", call.span, call.rule, _INSTEAD))]
    values = [option.value for option in call.options if option.value is not None]
    words = [*values, *call.operands]
    last = max((word.span.start for word in words), default=0)
    found: list[Outcome] = [
        _exec("command-separator", "`;` at the end of a word begins another tmux command", word, call)
        for word in words
        if _may_end_command(word, word.span.start == last)
    ]
    formats = [option.value for option in call.options if option.name in ("-F", "-f") and option.value is not None]
    if call.path and call.path[0] in ("display-message", "display"):
        formats += call.operands
    for word in formats:
        texts = word.alternatives()
        if texts is None or not all(_only_reads(text) for text in texts):
            found.append(_exec("tmux-format", "this format is not known to run no program", word, call))
    return found


def _exec(code: str, message: str, word: Argument, call: Invocation) -> Effect:
    return Effect(Kind.EXEC, Reason(code, message, word.span, call.rule), word.text)


def _may_end_command(word: Argument, is_last: bool) -> bool:
    if not word.pieces:
        return False
    end = word.pieces[-1]
    if not isinstance(end, Hole):
        return end.text.endswith(";")
    if end.values:
        return any(value.endswith(";") for value in end.values)
    return (word.many or not is_last) and end.domain not in ("number", "integer", "plain")


def _only_reads(text: str) -> bool:
    """Whether every `#…` of a format is one that runs nothing."""
    position = 0
    while (position := text.find("#", position)) >= 0:
        following = text[position + 1 : position + 2]
        if following == "(":
            return False
        if following == "{":
            end = _closing(text, position + 2)
            if end < 0 or not _expression(text[position + 2 : end]):
                return False
            position = end + 1
        else:
            position += 1 if following == "[" else 2
    return True


def _closing(text: str, position: int) -> int:
    """The index of the brace that closes the one before `position`, -1 where there is none."""
    depth = 1
    while position < len(text):
        if text.startswith("#{", position):
            depth += 1
            position += 1
        elif text[position] == "}":
            depth -= 1
            if not depth:
                return position
        position += 1
    return -1


def _expression(inner: str) -> bool:
    if inner.startswith("?"):
        return _only_reads(inner[1:])
    if set(inner) <= _NAME:
        return True
    modifiers, colon, rest = inner.partition(":")
    known = all(modifier[:1] and modifier[0] in _MODIFIERS for modifier in modifiers.split(";"))
    return bool(colon) and known and "#" not in modifiers and _only_reads(rest)
