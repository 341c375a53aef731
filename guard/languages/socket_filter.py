"""Command language of ss: its operands are a filter, in which a name that is no keyword is looked up as a host.

Grammar: ss(8), "STATE-FILTER" and "EXPRESSION". A lookup leaves the machine, with whatever the name holds.
"""

from __future__ import annotations

from guard.model.argument import Outcome
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_WORDS = """
state states exclude excluding all connected synchronized bucket big established syn-sent syn-recv fin-wait-1 fin-wait-2
time-wait closed close close-wait last-ack listening listen closing bound-inactive new-syn-recv unconnected
dst src sport dport and or not eq ne neq ge geq le leq gt lt dev autobound fwmark
"""
_KEYWORDS = frozenset(_WORDS.split())
_OPERATORS = frozenset("=<>!()|&")
_NUMERIC = frozenset("0123456789.:/*[]")
_HEX = _NUMERIC | frozenset("abcdefABCDEF")


def judge(call: Invocation) -> list[Outcome]:
    """`net_read` for every operand with a word in it that is, or could be, a host name."""
    found: list[Outcome] = []
    for word in call.operands:
        if word.text is None or not all(_is_known(part) for part in _parts(word.text)):
            message = "a name in the filter that is no keyword is looked up as a host"
            found.append(Effect(Kind.NET_READ, Reason("filter-host", message, word.span, call.rule), word.text))
    return found


def _parts(text: str) -> list[str]:
    """The words of a filter, operators left out."""
    return "".join(" " if char in _OPERATORS else char for char in text).split()


def _is_known(part: str) -> bool:
    """A keyword, an address or port in numbers, or a port by its service's name (`:http`)."""
    if part in _KEYWORDS or set(part) <= _NUMERIC:
        return True
    if part.startswith((":", "*:")):
        return part.rpartition(":")[2].replace("-", "").isalnum()
    return part.count(":") >= 2 and set(part) <= _HEX
