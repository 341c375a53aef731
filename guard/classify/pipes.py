"""What is known of standard input, and what becomes of it: filters that hand lines on, `read`, and loops over it."""

from __future__ import annotations

from guard.classify.state import MOST_NAMES, State, known_names, pattern
from guard.model.argument import NOTHING, Argument, Hole, Printed
from guard.model.syntax import Redirect, Span

_ANYWHERE = frozenset({"number", "numbers", "hex"})
"""Domains of which any part, begun and ended anywhere, is of the domain again."""
_BY_LINES = _ANYWHERE | {"plain"}
"""Domains that hold for each line."""
_KEEPS_REDIRECTS = frozenset({"exec", "command", "builtin", "eval", ".", "source"})
"""Commands behind which a redirect may stay in force (`exec < file`)."""


def is_replaced(redirects: tuple[Redirect, ...]) -> bool:
    """Whether a redirect gives the command another standard input."""
    return any(
        redirect.fd == 0 or (redirect.fd is None and redirect.operator.startswith("<")) for redirect in redirects
    )


def of(redirects: tuple[Redirect, ...], program: str | None, piped: Printed, state: State) -> Printed:
    """What is known of the standard input of a simple command in a pipe, or in a loop over one."""
    if is_replaced(redirects):
        if program is None or program in _KEEPS_REDIRECTS or program in state.functions:
            state.redirected = True
        return NOTHING
    return NOTHING if state.redirected else piped


def written(text: Argument | None) -> Printed:
    """What is known of a standard input that is written in the command: words that may be names."""
    if text is None:
        return NOTHING
    names = (*pattern(text).split(), *known_names(text.pieces))
    return Printed(names=tuple(dict.fromkeys(names))[:MOST_NAMES])


def shared(piped: Printed) -> Printed:
    """What is still known where several commands read from it: each begins where the one before left off."""
    return Printed(piped.domain if piped.domain in _ANYWHERE else "", names=piped.names)


def handed_on(printed: Printed, piped: Printed) -> Printed:
    """What a command prints, where it may print what it reads: `beginning` up to some place, `input` lines of it."""
    names = printed.names or piped.names  # a filter may leave them as they are
    if printed.domain == "beginning":
        return Printed(piped.domain, names=names)
    if printed.domain == "input":
        return Printed(piped.domain if piped.domain in _BY_LINES else "", names=names)
    return printed._replace(names=names)


def read(words: tuple[Argument, ...], piped: Printed, state: State, span: Span) -> None:
    """`read` and `mapfile` have set variables to parts of the standard input, of a domain with no option but `-r`."""
    names = [word.text for word in words[1:] if word.text != "-r"]
    domain = piped.domain if piped.domain in _ANYWHERE else ""
    domain = "number" if domain == "numbers" else domain  # one line of them
    plain = [name for name in names if name and name.isidentifier()]
    if not domain or state.depth or plain != names:
        domain = "any"
        plain += ["MAPFILE", "REPLY"]
    for name in plain if domain != "any" or piped.names else ():
        state.assign(name, Argument((Hole(domain, span, (), piped.names),), span))
