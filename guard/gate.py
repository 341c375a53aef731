"""The one use case: read → classify → grant → decide. The file to read first."""

from __future__ import annotations

from guard import policy
from guard.classify import Place, classify, doubts
from guard.model.effect import opaque
from guard.model.grant import Grant
from guard.model.syntax import Span
from guard.model.verdict import Decision, Verdict
from guard.rulebook import Rulebook


def judge(text: str, place: Place, grant: Grant, book: Rulebook) -> Verdict:
    """The verdict on a command line under a grant. Never raises for what the text says; a fault inside is a veto."""
    try:
        found = classify(text, place, book)
        verdict = policy.decide(found.effects, grant)
        if verdict.decision is Decision.ALLOW:
            verdict = policy.decide((*found.effects, *doubts(found)), grant)
    except RecursionError:
        fault = opaque("bounds", "nested too deeply to be judged", Span(0, len(text)))
        verdict = policy.decide((fault,), grant)
    return verdict
