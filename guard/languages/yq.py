"""yq expressions: the files that `load` and its kin read. Everything else in the language computes.

`system()` needs the option --security-enable-system-operator, which the rule vetoes.
Source: https://mikefarah.gitbook.io/yq/operators/load
"""

from __future__ import annotations

from guard.languages.arguments import unknown
from guard.languages.texts import Sample, samples, union
from guard.model.argument import Argument, Outcome, ReadsPath, Text, exact
from guard.model.effect import Effect
from guard.model.invocation import Invocation

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def judge(call: Invocation) -> list[Outcome]:
    """Reads of all operands and option-arguments, as any of them may be the expression."""
    given = (option.value for option in call.options if option.value is not None)
    return union(outcome for argument in (*call.operands, *given) for outcome in _reads(argument))


def _reads(argument: Argument) -> list[Outcome]:
    texts = samples(argument)
    if isinstance(texts, Effect):
        # What is not known reads nothing that it names, but may make a name of every string of the rest.
        known = (piece.text for piece in argument.pieces if isinstance(piece, Text))
        return [ReadsPath(exact(part, argument.span)) for text in known for part in text.split('"')]
    return [outcome for sample in texts for outcome in _loads(sample)]


def _loads(sample: Sample) -> list[Outcome]:
    text, size = sample.text, len(sample.text)
    found: list[Outcome] = []
    place = 0
    while place < size:
        start = place
        if text[place] == '"':
            place = _string_end(text, place)
        elif text[place] in _NAME:
            while place < size and text[place] in _NAME:
                place += 1
            if text.startswith("load", start) and text[start - 1 : start] not in (".", "$"):
                found.append(ReadsPath(_path(sample, place)))
        else:
            place += 1
    return found


def _path(sample: Sample, place: int) -> Argument:
    """The string in the parentheses that open at `place`, wholly unknown where it is more than a string."""
    text = sample.text
    while text[place : place + 1] in (" ", "("):
        place += 1
    if text[place : place + 1] == '"':
        end = _string_end(text, place)
        inside = sample.part(place + 1, end - 1)
        if text[end:].lstrip(" ").startswith(")") and "\\" not in (inside.text or ""):
            return inside
    return unknown(sample.span(place, len(text)))


def _string_end(text: str, place: int) -> int:
    """The place behind the string that opens at `place`, or the end of the text."""
    place += 1
    while place < len(text) and text[place] != '"':
        place += 2 if text[place] == "\\" else 1
    return min(place + 1, len(text))
