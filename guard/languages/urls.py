"""What the URLs and data of HTTP clients could reach: shared by the languages of curl and wget."""

from __future__ import annotations

from guard.model.argument import Argument, Outcome, ReadsPath, exact
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.invocation import Invocation

_READING = ("http://", "https://", "ftp://", "ftps://")
_HOST = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_")


def judge(word: Argument, call: Invocation) -> list[Outcome]:
    """What asking for this URL does beyond a safe request: local files, other protocols, an unknown protocol."""
    start = word.start.lower()
    if start.startswith(_READING):
        return []
    if start.startswith("file:"):
        return [_file(word, call)]
    if _is_host(start, word.text is not None):
        return []
    if word.text is None:
        return [sends(word, call, "a URL that is decided at run time may name a local file or another protocol")]
    return [sends(word, call, "not a URL of a protocol that only reads")]


def sends(word: Argument, call: Invocation, message: str) -> Effect:
    """The effect of data that leaves the machine."""
    return Effect(Kind.NET_WRITE, Reason("net-write-argument", message, word.span, call.rule), word.text)


def _file(word: Argument, call: Invocation) -> Outcome:
    """`file:` reads a local file; escapes and ranges in the URL could spell any other path."""
    text = word.text
    if text is None or any(char in text for char in "%[]{}\\"):
        return opaque("file-url", "which file this URL reads is not known", word.span, rule=call.rule)
    return ReadsPath(exact(text[len("file:") :].removeprefix("//").removeprefix("localhost"), word.span))


def _is_host(start: str, whole: bool) -> bool:
    """Whether a URL without `://` begins with a host, so that the protocol is HTTP or guessed from the name.

    `gopher:/x` is a protocol too, so a colon must be followed by a port, or the name be one that no protocol has.
    """
    head, slash, _ = start.partition("/")
    host, colon, port = head.partition(":")
    if not host or not set(host) <= _HOST:
        return False
    if colon:
        return port.isdecimal() or host == "localhost" or "." in host
    return bool(slash) or whole or "." in host
