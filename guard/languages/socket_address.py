"""Command language of lsof and fuser: an address of a socket may name a host, which is looked up.

Grammar: lsof(8), `-i [46][protocol][@host][:port]`, attached or as the next word; fuser(1), `local,host,remote` behind
`-n tcp` or before `/tcp`. A lookup leaves the machine, with whatever the name holds.
"""

from __future__ import annotations

from guard.model.argument import Argument, Hole, Outcome, Text
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Invocation

_DIGITS = frozenset("0123456789.")
_HEX = frozenset("0123456789abcdefABCDEF:.[]")
_SPACES = ("/tcp", "/udp")


def judge(call: Invocation) -> list[Outcome]:
    """`net_read` for every address with a host in it that is, or could be, a name."""
    mark = "@" if call.program == "lsof" else ","
    words = _of_lsof(call) if call.program == "lsof" else _of_fuser(call)
    message = "a host's name in an address is looked up"
    found: list[Outcome] = [
        Effect(Kind.NET_READ, Reason("address-host", message, word.span, call.rule), word.text)
        for word in words
        if _may_name_host(word, mark)
    ]
    if call.program == "lsof" and _names_peers(call):
        message = "without -n name servers are asked for the names of addresses"
        found.append(Effect(Kind.NET_READ, Reason("address-names", message, call.span, call.rule)))
    return found


def _names_peers(call: Invocation) -> bool:
    """Whether lsof may list sockets and print the names of their addresses: not with files or -U alone, nor with -t."""
    if call.given("-n", "-t", "-v", "-h", "-?") is not None:
        return False
    return call.given("-c", "-d", "-g", "-i", "-K", "-N", "-p", "-u") is not None or not (
        call.operands or call.given("-U")
    )


def _of_lsof(call: Invocation) -> list[Argument]:
    values = [one.value for one in call.options if one.name == "-i"]
    return [*(value for value in values if value is not None), *call.operands] if values else []


def _of_fuser(call: Invocation) -> list[Argument]:
    if any(one.name == "-n" for one in call.options):
        return list(call.operands)
    return [word for word in call.operands if _may_end(word)]


def _may_end(word: Argument) -> bool:
    """Whether the word is, or could be, of a name space of sockets."""
    last = word.pieces[-1] if word.pieces else None
    return isinstance(last, Hole) or (last is not None and last.text.endswith(_SPACES))


def _may_name_host(word: Argument, mark: str) -> bool:
    texts = word.alternatives()
    if texts is not None:
        return any(mark in text and not _is_number(text.partition(mark)[2], mark) for text in texts)
    if any(isinstance(piece, Text) and mark in piece.text for piece in word.pieces):
        return True
    numbers = all(isinstance(piece, Text) or piece.domain in ("number", "integer") for piece in word.pieces)
    return not (numbers or (mark == "@" and ":" in word.start))  # behind the colon is the port


def _is_number(rest: str, mark: str) -> bool:
    """Whether the host that `rest` begins with is missing or an address in numbers."""
    host = rest.partition("/")[0].partition(",")[0] if mark == "," else rest
    plain = host.partition(":")[0]
    return set(plain if mark == "@" else host) <= _DIGITS or (host.count(":") > 1 and set(host) <= _HEX)
