"""Grants as JSON, in the words of the `guard:` key of a workflow file. On the hook path: cheap to import and run."""

from __future__ import annotations

from guard.model.effect import Kind
from guard.model.grant import READ_ONLY, Grant
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def grant_to_json(grant: Grant) -> dict[str, Any]:
    """`{"bash": […], "run": [[word…]…], "write": […], "tools": […], "subagents": …}`."""
    return {
        "bash": [kind.value for kind in Kind if kind in grant.effects],
        "run": [list(words) for words in grant.run],
        "write": list(grant.write),
        "tools": list(grant.tools),
        "subagents": grant.subagents,
    }


def grant_from_json(data: Mapping[str, Any]) -> Grant:
    """The grant that `grant_to_json` wrote."""
    return Grant(
        frozenset(Kind(value) for value in data["bash"]) | READ_ONLY,
        tuple(tuple(words) for words in data["run"]),
        tuple(data["write"]),
        tuple(data["tools"]),
        data["subagents"],
    )
