"""What every adapter does, and the strict reading of a payload that all share."""

from __future__ import annotations

import json

from guard.model.call import ToolCall
from guard.model.errors import GuardError
from guard.model.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any, NoReturn, Protocol

MAX_BYTES = 32 << 20
"""Largest payload that is read; a larger one is answered with a veto that says so."""
MAX_DEPTH = 200
"""Deepest nesting of a payload."""


class MalformedError(GuardError):
    """The payload is not what the runtime documents. The answer is deliberate, never a skip."""


class Skip(NamedTuple):
    """An event that carries no decision: exit 0, nothing written."""

    why: str


class Answer(NamedTuple):
    """Bytes for standard output and standard error, and the exit code."""

    stdout: bytes
    stderr: bytes
    code: int


if TYPE_CHECKING:

    class Adapter(Protocol):
        """One runtime. `decode` raises MalformedError; `allow` and `veto` are the runtime's own forms of the answer."""

        name: str

        def decode(self, payload: dict[str, Any]) -> ToolCall | Skip:
            """The call in a payload, or Skip for an event without a decision."""
            ...

        def allow(self) -> Answer:
            """No objection: the runtime's own permission flow goes on."""
            ...

        def remind(self, text: str) -> Answer:
            """No objection, and a sentence for the model (a step that only reminds)."""
            ...

        def veto(self, reason: str) -> Answer:
            """The runtime's own deny, with a reason that is never empty."""
            ...


def payload(raw: bytes) -> dict[str, Any]:
    """The JSON object in `raw`: UTF-8 (a BOM is dropped), nothing after it, no key twice. Raises MalformedError."""
    if len(raw) > MAX_BYTES:
        raise MalformedError(f"the payload is larger than {MAX_BYTES >> 20} MiB")
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if not raw.strip():
        raise MalformedError("standard input is empty: expected the runtime's JSON")
    try:
        found = json.loads(raw.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise MalformedError(f"the payload is not valid UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise MalformedError(f"the payload is not valid JSON: {error.msg} at line {error.lineno}") from error
    except RecursionError as error:
        raise MalformedError("the payload is nested too deeply") from error
    except ValueError as error:  # a whole number of more digits than Python reads
        raise MalformedError(f"the payload has a number that cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise MalformedError(f"the payload is not a JSON object (got {type(found).__name__})")
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


def text(found: dict[str, Any], key: str, *, required: bool = True) -> str | None:
    """The text under a key. Raises MalformedError if it is another type, or missing though required."""
    value = found.get(key)
    if value is None and not required:
        return None
    if not isinstance(value, str):
        got = "nothing" if value is None else type(value).__name__
        raise MalformedError(f"'{key}' in the payload: expected text (got {got})")
    return value
