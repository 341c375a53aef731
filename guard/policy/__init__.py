"""Effects and a grant → a verdict. Pure: no workflow, no clock, no file."""

from __future__ import annotations

from guard.model.effect import Effect, Kind, Reason
from guard.model.grant import Grant
from guard.model.syntax import Span
from guard.model.verdict import Decision, Verdict


def decide(effects: tuple[Effect, ...], grant: Grant) -> Verdict:
    """Allow if every effect lies inside the grant; nothing at all is a veto.

    `reasons` are those of the effects outside, each once, the smallest part of the command first.
    """
    outside = [effect for effect in effects if not covers(grant, effect)]
    decision = max(
        (Decision.VETO if effect in outside else Decision.ALLOW for effect in effects), default=Decision.VETO
    )
    reasons = [effect.reason for effect in outside]
    if not effects:
        reasons = [Reason("empty", "there is nothing to judge", Span(0, 0))]
    reasons.sort(key=lambda reason: (reason.span.end - reason.span.start, reason.span))
    return Verdict(decision, effects, tuple(dict.fromkeys(reasons)))


def covers(grant: Grant, effect: Effect) -> bool:
    """Whether one effect lies inside the grant; what is opaque never does."""
    return effect.kind is not Kind.OPAQUE and effect.kind in grant.effects
