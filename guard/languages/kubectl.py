"""Command language of kubectl: `get` with an output format prints what a secret holds.

https://kubernetes.io/docs/reference/kubectl/generated/kubectl_get/
"""

from __future__ import annotations

from guard.model.argument import Argument, Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_INSTEAD = "`kubectl describe secret NAME` names the keys, where net_read is granted"
_TABLES = ("wide", "name")


def judge(call: Invocation) -> list[Outcome]:
    """`read_secret` for a `get` that may print secrets whole; everything else is declared by the rule."""
    output = call.given("-o", "--template")
    if call.path != ("get",) or output is None or (output.value and output.value.text in _TABLES):
        return []
    message = "prints what secrets hold"
    return [
        Effect(Kind.READ_SECRET, Reason("prints-secret", message, word.span, call.rule, _INSTEAD))
        for word in call.operands
        if _may_be_secret(word)
    ]


def _may_be_secret(word: Argument) -> bool:
    """Whether a kind in `KIND`, `KIND/NAME`, `KIND,KIND` or `KIND.GROUP` may be `secret`, in any case of letters."""
    if word.text is None:
        return "/" not in word.start
    kinds = [part.partition("/")[0].partition(".")[0].lower() for part in word.text.split(",")]
    return any(kind in ("secret", "secrets", "sealedsecrets", "all") for kind in kinds)
