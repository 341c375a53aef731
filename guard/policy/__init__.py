"""Effects and a grant → a verdict. Pure: no workflow, no clock, no file."""

from __future__ import annotations

from collections.abc import Callable

from guard.model.effect import Effect, Kind, Reason
from guard.model.grant import Grant
from guard.model.syntax import Span
from guard.model.verdict import Decision, Verdict

ON_FILES = frozenset({Kind.WRITE, Kind.DELETE})
"""Effects that a grant covers by their path: a grant of the effect never reaches the guard's own files."""
Refusal = Callable[[Effect], str | None]
"""Why the grant does not reach the path of an effect on files (empty: it grants no such thing), or None if it does.
Links have to be followed for that, so it is the caller's."""


def decide(effects: tuple[Effect, ...], grant: Grant, refusal: Refusal) -> Verdict:
    """Allow if every effect lies inside the grant; nothing at all is a veto.

    `reasons` are those of the effects outside, each once, the smallest part of the command first.
    """
    judged = [(effect, _outside(effect, grant, refusal)) for effect in effects]
    reasons = [reason for _, reason in judged if reason is not None]
    if not effects:
        reasons = [Reason("empty", "there is nothing to judge", Span(0, 0))]
    reasons.sort(key=lambda reason: (reason.span.end - reason.span.start, reason.span))
    decision = Decision.VETO if reasons else Decision.ALLOW
    return Verdict(decision, effects, tuple(dict.fromkeys(reasons)))


def _outside(effect: Effect, grant: Grant, refusal: Refusal) -> Reason | None:
    """Why one effect lies outside of the grant, None if it lies inside. What is opaque never does."""
    if effect.kind in ON_FILES:
        why = refusal(effect)
        if why is None:
            return None
        return effect.reason._replace(message=f"{effect.reason.message}, and {why}") if why else effect.reason
    return effect.reason if effect.kind is Kind.OPAQUE or effect.kind not in grant.effects else None
