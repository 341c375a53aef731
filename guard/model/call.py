"""One tool call of an agent, whatever runtime it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guard.model.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


class ToolCall(NamedTuple):
    """A call that an agent is about to make.

    `tool` is the runtime's own name of the tool and `input` its arguments as they came (never rewritten). `cwd` is an
    absolute path or None where the runtime sends none. `session` and `agent` identify the host session and the
    sub-agent (None: the main agent); `mode` is the runtime's permission mode (`plan`, `default`, …). `call_id` is the
    runtime's own id of this call (`tool_use_id`), None where it sends none. `roots` are further folders
    that the runtime is open on.
    """

    runtime: str
    tool: str
    input: Mapping[str, Any]
    cwd: str | None
    session: str | None = None
    agent: str | None = None
    mode: str | None = None
    call_id: str | None = None
    roots: tuple[str, ...] = ()

    def texts(self) -> Iterator[str]:
        """Every text in its arguments, at any depth, the keys inside of them too."""
        for value in self.input.values():
            yield from texts(value)


def texts(value: Any) -> Iterator[str]:
    """Every text in a value of JSON, at any depth; keys are texts as well."""
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            pending += [*value, *value.values()]
        elif isinstance(value, list):
            pending += value
