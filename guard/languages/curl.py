"""Command language of curl: what its rule cannot say because it hangs on the text of an argument.

URLs that are no safe requests, `@FILE` in data and headers, cookies from files, `-w` formats that write files, and
output options, for which `-` is the standard output. https://curl.se/docs/manpage.html
"""

from __future__ import annotations

from guard.languages import urls
from guard.model.argument import Argument, Outcome, ReadsPath, WritesPath
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Given, Invocation

_OUTPUTS = ("-o", "-D", "-c", "--trace", "--trace-ascii", "--stderr", "--libcurl")
_DATA = ("-d", "--data-raw", "--data-urlencode")
_CREDENTIALS = ("-E", "--key")
_HEADERS = ("-H", "--proxy-header")


def judge(call: Invocation) -> list[Outcome]:
    """Effects of the arguments of one curl call; the request itself is declared by the rule."""
    found: list[Outcome] = []
    for word in call.operands:
        found += urls.judge(word, call)
    for option in call.options:
        if option.value is not None:
            found += _option(option, option.value, call)
    return found


def _option(option: Given, value: Argument, call: Invocation) -> list[Outcome]:
    name = option.name
    if name == "--url":
        return urls.judge(value, call)
    if name in _OUTPUTS:
        message = f"`{name}` writes this file"
        if name == "-o" and "#" in (value.text or "#"):
            # `#1` stands for a part of the URL.
            return [Effect(Kind.WRITE, Reason("output", message, value.span, call.rule))]
        return [] if value.text == "-" else [WritesPath(value, message, rule=call.rule)]
    if name == "-w":
        return _format(value, call)
    if name in _CREDENTIALS and any(value.may_start_with(start) for start in ("p", "P")):
        return _module(value, call)
    if name in _HEADERS:
        return _from_file(value, call) if value.may_start_with("@") else []
    if name == "-b":
        return [] if "=" in value.start else _from_file(value, call)
    if name == "--url-query":
        return [] if _is_text(value) else _from_file(value, call)
    if name in _DATA:
        return _data(name, value, call)
    return []


def _data(name: str, value: Argument, call: Invocation) -> list[Outcome]:
    """`-d` posts, unless `-G` turns it into the query of a GET; `@` reads a file in both."""
    reads_file = {"-d": value.may_start_with("@"), "--data-urlencode": not _is_text(value)}.get(name, False)
    if reads_file:
        return _from_file(value, call)
    return [] if call.given("-G") else [urls.sends(value, call, f"`{name}` sends data with POST")]


def _is_text(value: Argument) -> bool:
    """Whether `NAME=CONTENT`, `=CONTENT` or `CONTENT` and not `NAME@FILE` (curl looks for the first `=` or `@`)."""
    known = value.start
    first = next((char for char in known if char in "=@"), "")
    return first == "=" or (first == "" and value.text is not None)


def _from_file(value: Argument, call: Invocation) -> list[Outcome]:
    return [urls.sends(value, call, "the content of a file may be sent"), ReadsPath(value)]


def _module(value: Argument, call: Invocation) -> list[Outcome]:
    """A `pkcs11:` URI can name the library that is loaded to reach the key (RFC 7512, `module-path`)."""
    if value.text is not None and not value.text.lower().startswith("pkcs11:"):
        return []
    message = "a `pkcs11:` name can load a library"
    return [Effect(Kind.EXEC, Reason("key-module", message, value.span, call.rule))]


def _format(value: Argument, call: Invocation) -> list[Outcome]:
    text = value.text
    if text is not None and not text.startswith("@") and "%output" not in text:
        return []
    message = "a `-w` format can write files (`%output{…}`), and this one is not known to write none"
    return [Effect(Kind.WRITE, Reason("write-format", message, value.span, call.rule))]
