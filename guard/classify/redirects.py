"""Redirects: what they read and write, and which descriptors they leave open on files.

On Linux a name such as /dev/stdout is opened anew: what stands behind the descriptor is truncated and written, however
it was opened before (`: 1< f > /dev/stdout` empties `f`). So no descriptor that may be open on a file may become
standard output or error, which is what these names are taken for. https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html
"""

from __future__ import annotations

from guard.classify import targets
from guard.classify.expand import Expander
from guard.classify.state import State
from guard.model.argument import Argument, Hole, Text, WritesPath
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.syntax import Redirect
from guard.rulebook import Rulebook

_RESERVED = frozenset({1, 2, int(targets.SUBSTITUTED.rpartition("/")[2])})
_INSTEAD = "the command without the redirect; `cat FILE` shows a file as it is"
_DOCUMENTS = ("<<", "<<-", "<<<")


def judge(
    redirects: tuple[Redirect, ...], state: State, expander: Expander, book: Rulebook, effects: list[Effect]
) -> Argument | None:
    """Adds their effects; the text of the standard input, where a here-document or here-string gives it."""
    stdin = None
    for redirect in redirects:
        if redirect.operator in _DOCUMENTS:
            target = expander.value(redirect.target, state)
            if redirect.fd in (None, 0):
                newline = Text("\n", [redirect.span.end - 1])
                stdin = target if redirect.operator != "<<<" else target._replace(pieces=(*target.pieces, newline))
            continue
        target = _target(redirect, state, expander)
        source = _descriptor(target) if redirect.operator in ("<&", ">&") else None
        if source is not None:
            default = 0 if redirect.operator == "<&" else 1
            if source in state.files:
                _opened(default if redirect.fd is None else redirect.fd, redirect, state, effects)
            continue
        if redirect.fd in (None, 0):
            stdin = None
        if redirect.operator == "<":
            _opened(redirect.fd or 0, redirect, state, effects)
            effects.append(targets.read(book, target, state))
            if target.start.startswith(("/dev/tcp/", "/dev/udp/")):
                message = "bash opens a socket for this file name"
                effects.append(Effect(Kind.NET_WRITE, Reason("socket", message, redirect.span)))
            continue
        write = WritesPath(target, "a redirect writes this file", instead=_INSTEAD)
        effect = targets.write(book, write, state, redirect.span)
        if effect is not None:
            effects.append(effect)
    return stdin


def _target(redirect: Redirect, state: State, expander: Expander) -> Argument:
    """The file of a redirect: bash takes what one word becomes, globs included, and fails where it becomes several."""
    found = expander.split(redirect.target, state)
    return found[0] if len(found) == 1 else Argument((Hole("any", redirect.span),), redirect.span)


def may_fail(redirects: tuple[Redirect, ...]) -> bool:
    """Whether one of them may fail, so that the command does not run at all: a here-document needs a file too."""
    return any(_text(redirect) not in ("/dev/null", "1", "2") for redirect in redirects)


def _text(redirect: Redirect) -> str | None:
    parts = redirect.target.parts
    if redirect.operator in _DOCUMENTS or len(parts) != 1:
        return None
    return getattr(parts[0], "text", None)


def errors_apart(redirects: tuple[Redirect, ...]) -> bool:
    """Whether nothing but the command's own output can reach its standard output: its messages quote its operands."""
    return all(
        redirect.operator in (*_DOCUMENTS, "<")
        or [getattr(part, "text", "") for part in redirect.target.parts] == ["/dev/null"]
        for redirect in redirects
    )


def _opened(descriptor: int, redirect: Redirect, state: State, effects: list[Effect]) -> None:
    """A descriptor that may be open on a file from now on (also where the redirect is undone later)."""
    state.files |= {descriptor}
    if descriptor in _RESERVED:
        message = "output goes to a descriptor that may be a file, which `/dev/stdout` and its kin would overwrite"
        effects.append(opaque("descriptor", message, redirect.span))


def _descriptor(target: Argument) -> int | None:
    """The descriptor of `<&N`, -1 for `<&-` and where the word is no descriptor None."""
    text = target.text
    if text is None:
        return None
    number = text.removesuffix("-")
    if number.isascii() and number.isdigit():
        return int(number)
    return -1 if text == "-" else None
