"""ar: an operation and its modifiers in the first word; `t` lists and `p` prints, all others change the archive.

binutils expands a word `@FILE` into options read from that file.
Source: https://sourceware.org/binutils/docs/binutils/ar-cmdline.html
"""

from __future__ import annotations

from guard.model.argument import Outcome, ReadsPath
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation

_MODIFIERS = frozenset("tpvOo")


def judge(call: Invocation) -> list[Outcome]:
    """`write` unless the archive is only read."""
    words = call.operands
    if not words or words[0].text in ("--help", "--version", "-V"):
        return []
    for word in words[1:]:
        if word.may_start_with("@") or word.may_start_with("-"):
            message = "could be an option, or `@FILE` with options in it"
            return [opaque("dynamic-option", message, word.span, rule=call.rule)]
    letters = (words[0].text or "").removeprefix("-")
    if letters and set(letters) <= _MODIFIERS and len(set(letters) & set("tp")) == 1:
        return [ReadsPath(word) for word in words[1:2]]
    message = "only `ar t` and `ar p` are known to leave the archive as it is"
    return [Effect(Kind.WRITE, Reason("archive", message, words[0].span, call.rule))]
