"""A stage's grant: from the pipeline's `guard:` key, and as JSON in the lease, from where the hook takes it."""

from __future__ import annotations

from collections.abc import Mapping

from guard.model.effect import Kind
from guard.model.grant import READ_ONLY, Grant
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from guard.rulebook.yaml_source import Value

SUBAGENTS = ("same", "free", "none")
_GRANTABLE = {kind.value: kind for kind in Kind if kind is not Kind.OPAQUE}


def from_yaml(value: Value) -> tuple[Grant, bool]:
    """(grant, whether it vetoes) of a `guard:` mapping; RuleError with its place."""
    keys = value.mapping("guard")
    for key, unknown in keys.items():
        if key not in ("bash", "run", "write", "tools", "subagents", "enforce"):
            raise unknown.fail(f"guard: unknown key '{key}': expected bash, run, write, tools, subagents or enforce")
    kinds = set(READ_ONLY)
    for entry in _entries(keys, "bash"):
        name = entry.text("guard.bash")
        if name not in _GRANTABLE:
            raise entry.fail(f"guard.bash: expected one of {', '.join(_GRANTABLE)} (got '{name}')")
        kinds.add(_GRANTABLE[name])
    grant = Grant(
        frozenset(kinds),
        tuple(tuple(entry.text("guard.run").split()) for entry in _entries(keys, "run")),
        tuple(entry.text("guard.write") for entry in _entries(keys, "write")),
        tuple(entry.text("guard.tools") for entry in _entries(keys, "tools")),
        _choice(keys, "subagents", SUBAGENTS),
    )
    return grant, _choice(keys, "enforce", ("hard", "soft")) == "hard"


def to_json(grant: Grant) -> dict[str, Any]:
    """Plain data that `from_json` reads."""
    return {
        "bash": sorted(kind.value for kind in grant.effects),
        "run": [list(words) for words in grant.run],
        "write": list(grant.write),
        "tools": list(grant.tools),
        "subagents": grant.subagents,
    }


def from_json(data: Mapping[str, Any]) -> Grant:
    """The grant that `to_json` wrote; KeyError, TypeError or ValueError for anything else."""
    if data["subagents"] not in SUBAGENTS:
        raise ValueError(data["subagents"])
    return Grant(
        frozenset(_GRANTABLE[name] for name in data["bash"]),
        tuple(tuple(str(word) for word in words) for words in data["run"]),
        tuple(str(path) for path in data["write"]),
        tuple(str(tool) for tool in data["tools"]),
        data["subagents"],
    )


def _entries(keys: Mapping[str, Value], key: str) -> list[Value]:
    return keys[key].sequence(f"guard.{key}") if key in keys else []


def _choice(keys: Mapping[str, Value], key: str, choices: tuple[str, ...]) -> str:
    if key not in keys:
        return choices[0]
    text = keys[key].text(f"guard.{key}")
    if text not in choices:
        raise keys[key].fail(f"guard.{key}: expected one of {', '.join(choices)} (got '{text}')")
    return text
