"""A Script's effects: every command it could run, judged by its rule, with the reason and the place of each effect."""

from __future__ import annotations

from guard import shell
from guard.classify.budget import Budget
from guard.classify.compose import classify_text, kept_actions
from guard.classify.state import Place, State
from guard.model.effect import Effect, opaque
from guard.model.record import NamedTuple
from guard.model.syntax import Script
from guard.rulebook import Rulebook

__all__ = ["Classification", "Place", "classify", "doubts"]


class Classification(NamedTuple):
    """`effects` of the text; `scripts` are all texts that were read for it, those that shells in it run too."""

    effects: tuple[Effect, ...]
    scripts: tuple[Script, ...]


def classify(text: str, place: Place, book: Rulebook, run: tuple[tuple[str, ...], ...] = ()) -> Classification:
    """What running `text` in bash could do, by our own reader alone.

    Commands that fit a pattern of `run` (see `Grant.run`) are taken to only read. An allow also needs `doubts` to be
    empty: the second and third reading cost more, and a veto does not need them.
    """
    budget = Budget(book, run)
    effects = classify_text(text, State(place), budget)
    effects += kept_actions(text, budget)
    return Classification(tuple(effects), tuple(budget.scripts))


def doubts(found: Classification) -> tuple[Effect, ...]:
    """An opaque effect for every text that the other readers do not read as ours does."""
    different = {script.text: script for script in found.scripts}.values()
    refused = (shell.witness(script) for script in different)
    return tuple(opaque(doubt.code, doubt.message, doubt.span) for doubt in refused if doubt is not None)
