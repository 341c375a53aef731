"""What an adapter is, and the strict reading of a payload that all of them share."""

from __future__ import annotations

import json

from guard.model.call import ToolCall
from guard.model.errors import GuardError
from guard.model.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

MAX_BYTES = 32 << 20
"""Largest payload that is read; a larger one is answered with a veto that says so."""
MAX_DEPTH = 200
"""Deepest nesting of a payload."""

TOOL, PERMISSION, STOP, SUBAGENT_STOP, START = "tool", "permission", "stop", "subagent stop", "start"
"""Kinds of event that are answered; every other event is skipped. Only the first two are about a call."""


class MalformedError(GuardError):
    """The payload is not what the runtime documents. The answer is deliberate, never a skip."""


class Skip(NamedTuple):
    """An event that carries no decision: exit 0, nothing written."""

    why: str


class Event(NamedTuple):
    """Something that the guard answers. Where no tool is called, `call` only says who the caller is.

    `again`: the agent already goes on because an earlier stop was blocked, so this one is not.
    """

    kind: str
    call: ToolCall
    again: bool = False


class Answer(NamedTuple):
    """Bytes for standard output and standard error, and the exit code."""

    stdout: bytes
    stderr: bytes
    code: int


SILENCE = Answer(b"", b"", 0)
REFUSALS = ("veto", "ask")
"""Decisions that keep a call from running by itself."""


class Fields(NamedTuple):
    """Under which keys a runtime sends what; empty where it sends none."""

    event: str = "hook_event_name"
    tool: str = "tool_name"
    input: str = "tool_input"
    cwd: str = "cwd"
    session: str = "session_id"
    agent: str = "agent_id"
    mode: str = "permission_mode"
    call_id: str = "tool_use_id"
    again: str = "stop_hook_active"


class Adapter(NamedTuple):
    """One runtime: how its payloads are read, and its own form of each answer.

    `events` are its names of the events that are answered. `decode` raises MalformedError. `allow` is no objection:
    the runtime's own permission flow goes on. `veto` takes the kind of event and a reason that is never empty. `remind`
    is no objection and a text for the model. `ask` hands a veto to the user, None where the runtime has no such answer
    for calls; `approve` skips its own prompt, None where it cannot be skipped. `failure` is the exit code of wrong
    usage: never 2, and 0 where any other code would cost the answer on standard output.
    """

    name: str
    events: Mapping[str, str]
    decode: Callable[[dict[str, Any]], Event | Skip]
    allow: Answer
    veto: Callable[[str, str], Answer]
    remind: Callable[[str, str], Answer]
    ask: Callable[[str], Answer] | None
    approve: Answer | None
    failure: int


class Outcome(NamedTuple):
    """What is to be answered. Only the very word `allow` lets a call through, and only where nothing is rewritten."""

    decision: str
    reason: str = ""
    rewrite: object = None


def encode(adapter: Adapter, kind: str, outcome: Outcome) -> Answer:
    """The outcome in the runtime's form. Runtimes replace a whole tool input, so a rewrite is refused, never sent."""
    if outcome.rewrite is not None:
        return adapter.veto(
            kind, "devkit-guard: the input of a tool is never rewritten; make the call as it should be."
        )
    if outcome.decision == "allow":
        return adapter.remind(kind, outcome.reason) if outcome.reason else adapter.allow
    if outcome.decision == "approve" and adapter.approve is not None and kind == TOOL:
        return adapter.approve
    reason = outcome.reason.strip() or "devkit-guard: vetoed without a reason."
    if outcome.decision == "ask" and adapter.ask is not None and kind == TOOL:
        return adapter.ask(reason)
    return adapter.veto(kind, reason)


def event(payload: dict[str, Any], runtime: str, events: Mapping[str, str], fields: Fields) -> Event | Skip:
    """The event in a payload that names it. Raises MalformedError."""
    name = required(payload, fields.event)
    kind = events.get(name)
    return Skip(f"event {name}") if kind is None else of_kind(payload, runtime, kind, fields)


def of_kind(payload: dict[str, Any], runtime: str, kind: str, fields: Fields) -> Event:
    """The event in a payload whose kind is known. Raises MalformedError."""
    caller = ToolCall(
        runtime,
        "",
        {},
        text(payload, fields.cwd),
        text(payload, fields.session),
        text(payload, fields.agent),
        text(payload, fields.mode),
        text(payload, fields.call_id),
    )
    if kind not in (TOOL, PERMISSION):
        return Event(kind, caller, payload.get(fields.again) is True)
    tool = required(payload, fields.tool)
    return Event(kind, caller._replace(tool=tool, input=inside(payload, fields.input)))


def arguments(value: object, key: str) -> dict[str, Any]:
    """The arguments of a call where a runtime may send them as JSON text. Raises MalformedError."""
    return parsed(value, f"'{key}' in the payload") if isinstance(value, str) else inside({key: value}, key)


def payload(raw: bytes) -> dict[str, Any]:
    """The JSON object in `raw`: UTF-8 (a BOM is dropped), nothing after it, no key twice. Raises MalformedError."""
    if len(raw) > MAX_BYTES:
        raise MalformedError(f"the payload is larger than {MAX_BYTES >> 20} MiB")
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if not raw.strip():
        raise MalformedError("standard input is empty: expected the runtime's JSON")
    try:
        content = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError(f"the payload is not valid UTF-8 (byte {error.start})") from error
    return parsed(content, "the payload")


def parsed(content: str, what: str) -> dict[str, Any]:
    """The JSON object in a text, by the same strict rules. Raises MalformedError."""
    try:
        found = json.loads(content, object_pairs_hook=_unique, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise MalformedError(f"{what} is not valid JSON: {error.msg} at line {error.lineno}") from error
    except RecursionError as error:
        raise MalformedError(f"{what} is nested too deeply") from error
    except ValueError as error:  # a whole number of more digits than Python reads
        raise MalformedError(f"{what} has a number that cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise MalformedError(f"{what} is not a JSON object (got {type(found).__name__})")
    _bounded(found)
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise MalformedError(f"the payload has the key '{twice[:40]}' twice")
    return found


def _constant(name: str) -> NoReturn:
    raise MalformedError(f"the payload has {name}, which is not JSON")


def _bounded(found: object) -> None:
    level = [found]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return
    raise MalformedError(f"the payload is nested deeper than {MAX_DEPTH} levels")


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def required(found: dict[str, Any], key: str) -> str:
    """The text under a key. Raises MalformedError if it is missing, empty or another type."""
    value = text(found, key)
    if not value:
        raise MalformedError(f"'{key}' in the payload: expected text (got {'nothing' if value is None else 'none'})")
    return value


def text(found: dict[str, Any], key: str) -> str | None:
    """The text under a key, None where there is none. Raises MalformedError if it is another type."""
    value = found.get(key)
    if value is not None and not isinstance(value, str):
        raise MalformedError(f"'{key}' in the payload: expected text (got {type(value).__name__})")
    return value


def inside(found: dict[str, Any], key: str) -> dict[str, Any]:
    """The object under a key. Raises MalformedError if it is missing or something else."""
    value = found.get(key)
    if not isinstance(value, dict):
        raise MalformedError(f"'{key}' in the payload: expected an object")
    return value


def roots(found: dict[str, Any], key: str, cwd: str | None) -> tuple[str, ...]:
    """The folders under a key that lists those of the workspace, without `cwd`; what is no text there is left out."""
    listed = found.get(key)
    return tuple(root for root in listed if isinstance(root, str) and root != cwd) if isinstance(listed, list) else ()


def only_root(found: dict[str, Any], key: str) -> str | None:
    """The folder under a key that lists the workspace's folders, None unless there is exactly one."""
    listed = found.get(key)
    return listed[0] if isinstance(listed, list) and len(listed) == 1 and isinstance(listed[0], str) else None
