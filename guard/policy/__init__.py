"""Effects and a grant → a verdict. Pure: no workflow, no clock, no file."""

from __future__ import annotations

from collections.abc import Callable

from guard.model.effect import Effect, Kind, Reason
from guard.model.grant import Grant
from guard.model.syntax import Span
from guard.model.verdict import Decision, Verdict

MayWrite = Callable[[str], bool]
"""Whether the grant's globs cover an absolute path, which takes a look at symbolic links and so is the caller's."""


def decide(effects: tuple[Effect, ...], grant: Grant, may_write: MayWrite = lambda _: False) -> Verdict:
    """Allow if every effect lies inside the grant; nothing at all is a veto.

    `reasons` are those of the effects outside, each once, the smallest part of the command first.
    """
    outside = [effect for effect in effects if not covers(grant, effect, may_write)]
    judged = (Decision.VETO if effect in outside else Decision.ALLOW for effect in effects)
    reasons = [effect.reason for effect in outside]
    if not effects:
        reasons = [Reason("empty", "there is nothing to judge", Span(0, 0))]
    reasons.sort(key=lambda reason: (reason.span.end - reason.span.start, reason.span))
    return Verdict(max(judged, default=Decision.VETO), effects, tuple(dict.fromkeys(reasons)))


def covers(grant: Grant, effect: Effect, may_write: MayWrite) -> bool:
    """Whether one effect lies inside the grant; what is opaque never does, and a write also needs its path granted.

    A grant of `write` as an effect covers every path that is known, a grant of paths those that `may_write` knows.
    """
    if effect.kind is Kind.WRITE and effect.target is not None and may_write(effect.target):
        return True
    return effect.kind is not Kind.OPAQUE and effect.kind in grant.effects
