"""`gh api` and its like: whether the request only reads. Documented in `gh api --help` and the GraphQL specification.

The method is GET unless `--method` says otherwise; any field or body makes it POST. A GraphQL document is always sent
by POST: it reads if every operation in it is a query.
"""

from __future__ import annotations

from guard.languages import graphql
from guard.model.argument import Argument, Outcome, Text, without_start
from guard.model.effect import Effect, Kind, Reason
from guard.model.invocation import Given, Invocation

_FIELDS = frozenset({"--field", "--raw-field"})
_HEADERS = frozenset(
    {
        *("accept", "x-github-api-version", "if-none-match", "if-modified-since", "cache-control", "user-agent"),
        "content-type",
    }
)
"""Request headers that cannot change what the request does."""


def judge(call: Invocation) -> list[Outcome]:
    """`net_read` for a request that is certain to read, `net_write` for all others."""
    reason = _objection(call)
    if reason is None:
        return [Effect(Kind.NET_READ, Reason("http-read", "asks the server", call.span, call.rule), _endpoint(call))]
    return [Effect(Kind.NET_WRITE, reason, _endpoint(call))]


def _endpoint(call: Invocation) -> str | None:
    return call.operands[0].text if call.operands else None


def _objection(call: Invocation) -> Reason | None:
    """Why the request may change something, or None."""
    for option in call.options:
        if option.name == "--input":
            return _reason(call, option, "--input sends a body")
        if option.name == "--header" and not _is_harmless_header(option.value):
            return _reason(call, option, "this header may change what the request does")
        if option.name in _FIELDS and _is_file(option):
            return _reason(call, option, "this field sends the content of a file")
    method = call.given("--method")
    if method is not None:
        text = method.value.text if method.value is not None else None
        if text is not None and text.upper() in ("GET", "HEAD"):
            return None
        return _reason(call, method, "this method may change things on the server")
    fields = [option for option in call.options if option.name in _FIELDS]
    if not fields:
        return None
    if _endpoint(call) == "graphql":
        return _graphql_objection(call, fields)
    return _reason(call, fields[0], "a field makes the request a POST, where -X GET is not given")


def _reason(call: Invocation, option: Given, message: str) -> Reason:
    return Reason("http-write", message, option.span, call.rule)


def _graphql_objection(call: Invocation, fields: list[Given]) -> Reason | None:
    documents = []
    for option in fields:
        if option.value is None or "=" not in option.value.start:
            return _reason(call, option, "the name of this field is decided at run time")
        if option.value.start.partition("=")[0] == "query":
            documents.append(option)
    if not documents:
        return _reason(call, fields[0], "a GraphQL request without a literal query")
    for option in documents:
        assert option.value is not None
        text = _document(option.value)
        if text is None or not graphql.only_queries(text):
            return _reason(call, option, "this GraphQL document is not certain to be a query")
    return None


def _document(value: Argument) -> str | None:
    r"""The text after `query=`, with `\0` for a plain run-time value; None where it could hold anything."""
    if value.many:
        return None
    found = []
    for piece in value.pieces:
        if isinstance(piece, Text):
            found.append(piece.text)
        elif piece.domain in ("number", "plain") and not piece.values:
            found.append("\0")
        else:
            return None
    return "".join(found).partition("=")[2]


def _is_harmless_header(value: Argument | None) -> bool:
    return value is not None and not value.many and value.start.partition(":")[0].strip().lower() in _HEADERS


def _is_file(option: Given) -> bool:
    """`-F name=@file` sends a file; a value that is decided at run time could be one."""
    if option.name != "--field" or option.value is None:
        return False
    name, equals, _ = option.value.start.partition("=")
    return not equals or without_start(option.value, len(name) + 1).may_start_with("@")
