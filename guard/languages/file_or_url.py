"""Programs whose operands may be addresses as well as files (xmllint, gron, the poppler tools)."""

from __future__ import annotations

from guard.model.argument import Argument, Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_SCHEMES = ("http:", "https:", "ftp:", "ftps:", "//")


def judge(call: Invocation) -> list[Outcome]:
    """`net_read` for every operand that is, or could become, an address."""
    return [
        Effect(Kind.NET_READ, Reason("url-operand", "an address is fetched", word.span, call.rule), word.text)
        for word in call.operands
        if _may_be_address(word)
    ]


def _may_be_address(word: Argument) -> bool:
    known = word.start.lower()
    if known.startswith(_SCHEMES):
        return True
    return word.text is None and any(scheme.startswith(known) for scheme in _SCHEMES)
