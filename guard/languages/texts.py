"""Script arguments as the texts they can be: the exact one, or samples where a number is known only at run time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from guard.model.argument import Argument, Outcome, Text
from guard.model.effect import Effect, opaque
from guard.model.record import NamedTuple
from guard.model.syntax import Span

MOST = 256

# A run of digits behaves as one digit, or as none, in every grammar here: no keyword, escape or delimiter that a script
# judge accepts begins with a digit and depends on the digits that follow. BSD's wc puts blanks before them, which end a
# word: `f${n}system("x")` calls f1system, or system.
_NUMBERS = {"number": ("1", "", " 1"), "integer": ("1", "-1")}


class Sample(NamedTuple):
    """One text the script can be; `at[i]` is the offset in the command of `text[i]`.

    `exact`: it stands for itself alone, not for other numbers too.
    """

    text: str
    at: Sequence[int]
    exact: bool

    def span(self, start: int, end: int) -> Span:
        """The part of the command behind `text[start:end]`; one place where that is empty."""
        if start >= len(self.at):
            place = self.at[-1] + 1 if self.at else 0
            return Span(place, place)
        return Span(self.at[start], self.at[max(start, min(end, len(self.at)) - 1)] + 1)

    def part(self, start: int, end: int) -> Argument:
        """`text[start:end]` as an argument of its own."""
        return Argument((Text(self.text[start:end], self.at[start:end]),), self.span(start, end))


def samples(script: Argument) -> list[Sample] | Effect:
    """Texts that stand for all that `script` can be, or why there are none (an opaque effect)."""
    text = script.text
    if text is not None:
        return [Sample(text, script.at, True)]
    if script.many:
        return opaque("script-dynamic", "the script may split into several words at run time", script.span)
    found: list[tuple[str, list[int]]] = [("", [])]
    for piece in script.pieces:
        if isinstance(piece, Text):
            found = [(left + piece.text, [*at, *piece.at]) for left, at in found]
            continue
        choices = piece.values or _NUMBERS.get(piece.domain, ())
        if not choices or len(found) * len(choices) > MOST:
            message = (
                "the script is decided at run time: write the value into it"
                if not choices
                else "the script can be too many texts"
            )
            return opaque("script-dynamic", message, piece.span)
        found = [(left + choice, at + [piece.span.start] * len(choice)) for left, at in found for choice in choices]
    exact = all(isinstance(piece, Text) or piece.values for piece in script.pieces)
    return [Sample(text, at, exact) for text, at in found]


def union(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """The outcomes without repetitions, in their order."""
    found: list[Outcome] = []
    for outcome in outcomes:
        if outcome not in found:
            found.append(outcome)
    return found
