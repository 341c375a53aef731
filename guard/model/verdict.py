"""The answer: let it pass, or veto it with reasons."""

from __future__ import annotations

from enum import IntEnum

from guard.model.effect import Effect, Reason
from guard.model.record import NamedTuple


class Decision(IntEnum):
    """Ordered: combining decisions is `max(decisions, default=Decision.VETO)`.

    PASS is no opinion (nothing binds this caller); ALLOW and VETO are classifications.
    """

    PASS = 0
    ALLOW = 1
    VETO = 2


class Verdict(NamedTuple):
    """`effects` are all that the call could do; `reasons` are those that led to a veto, smallest part first."""

    decision: Decision
    effects: tuple[Effect, ...]
    reasons: tuple[Reason, ...]
