"""Which path a text may be, where nothing is known of the tool that is given it."""

from __future__ import annotations

import os

from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 4096
_BLANKS = " \t\r\n\ufeff"
_WEB = ("http://", "https://")


def paths(text: str, cwd: str) -> Iterator[str]:
    """The absolute paths that a whole text may be: as written, as a URI, with variables, with `..` resolved before the
    links or behind them. A text with blanks is one only if it begins like a path, an address of the web is none.
    """
    text = text.strip(_BLANKS)
    if not text or len(text) > _LONGEST or "\0" in text or text.casefold().startswith(_WEB):
        return
    if any(char.isspace() for char in text) and not text.startswith(("/", "~", "./", "../", "$", "file:", "FILE:")):
        return
    for form in dict.fromkeys((text, os.path.expandvars(text), *_in_uri(text))):
        whole = form if form.startswith("~") else os.path.join(cwd, form)
        yield whole
        plain = os.path.expanduser(whole)
        yield from dict.fromkeys((os.path.normpath(plain), os.path.realpath(plain)))


def _in_uri(text: str) -> tuple[str, ...]:
    """The path in a URI (`file:///a%20b`), with and without its escapes."""
    scheme, colon, rest = text.partition(":")
    if not colon or not scheme.replace("-", "").isalnum():
        return ()
    from urllib.parse import unquote

    if rest.startswith("//"):
        rest = "/" + rest[2:].partition("/")[2]
    return rest, unquote(rest)
