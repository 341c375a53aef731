"""The `guard:` key of a workflow or step (and of the board's stages) → Grant. Strict, errors are located.

`@name` in a list stands for a list of that name in a file of sets.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple, TypeVar

from guard.model.effect import Kind
from guard.model.grant import READ_ONLY, Grant
from guard.rulebook.load import data_folder
from guard.rulebook.yaml_source import Value, read_file

KEYS = ("bash", "run", "write", "tools", "subagents")
EFFECTS = tuple(kind.value for kind in Kind if kind is not Kind.OPAQUE)
SUBAGENTS = ("same", "free", "none")

Keys = dict[str, Value]
T = TypeVar("T")


class Sets(NamedTuple):
    """Lists by name: patterns for `run`, globs for `write`."""

    run: Mapping[str, tuple[tuple[str, ...], ...]]
    write: Mapping[str, tuple[str, ...]]

    def extended(self, other: Sets) -> Sets:
        """These sets, those of `other` in the place of the ones that they share a name with."""
        return Sets({**self.run, **other.run}, {**self.write, **other.write})


NO_SETS = Sets({}, {})
SETS = "sets.yaml"


def read_sets(path: str, shown: str | None = None) -> Sets:
    """The sets in a file: `run` and `write`, each a mapping from a name to a list. Raises RuleError."""
    keys = read_file(path, shown).mapping("sets")
    for key, inner in keys.items():
        if key not in Sets._fields:
            raise inner.fail(f"sets: unknown key '{key}': expected {' or '.join(Sets._fields)}")
    return Sets(_lists(keys, "run", _pattern), _lists(keys, "write", _glob))


@cache
def shipped_sets() -> Sets:
    """The sets that come with the project."""
    return read_sets(os.path.join(data_folder("workflows"), SETS))


def _lists(keys: Keys, what: str, read: Callable[[Value], T]) -> dict[str, tuple[T, ...]]:
    named = keys[what].mapping(what) if what in keys else {}
    return {name: tuple(read(_itself(entry, what)) for entry in value.sequence(name)) for name, value in named.items()}


def _itself(entry: Value, what: str) -> Value:
    if set_name(entry) is not None:
        raise entry.fail(f"{what}: a set does not hold other sets (got '{entry.data}')")
    return entry


def guard_keys(value: Value | None) -> Keys:
    """The entries of a `guard:` mapping, its keys checked."""
    if value is None:
        return {}
    keys = value.mapping("guard")
    for key, inner in keys.items():
        if key not in KEYS:
            raise inner.fail(f"guard: unknown key '{key}': expected one of {', '.join(KEYS)}")
    return keys


def read_grant(inherited: Keys, own: Keys, sets: Sets = NO_SETS) -> Grant:
    """The grant of a step: each key of its own `guard:` replaces the inherited one."""
    keys = {**inherited, **own}
    patterns: list[tuple[str, ...]] = []
    for entry in _entries(keys, "run"):
        patterns += (_pattern(entry),) if (name := set_name(entry)) is None else _set(entry, name, sets.run)
    globs: list[str] = []
    for entry in _entries(keys, "write"):
        globs += (_glob(entry),) if (name := set_name(entry)) is None else _set(entry, name, sets.write)
    return Grant(
        frozenset(_effect(entry) for entry in _entries(keys, "bash")) | READ_ONLY,
        tuple(dict.fromkeys(patterns)),
        tuple(dict.fromkeys(globs)),
        tuple(_tool(entry) for entry in _entries(keys, "tools")),
        _subagents(keys.get("subagents")),
    )


def _entries(keys: Keys, name: str) -> list[Value]:
    return keys[name].sequence(name) if name in keys else []


def set_name(entry: Value) -> str | None:
    """The name of the set that an entry of `run` or `write` stands for, None where it is itself what is meant."""
    text = entry.data
    return text[1:] if isinstance(text, str) and text.startswith("@") and "/" not in text else None


def _set(entry: Value, name: str, known: Mapping[str, tuple[T, ...]]) -> tuple[T, ...]:
    if name not in known:
        near = get_close_matches(name, known, 1)
        names = ", ".join(f"@{other}" for other in sorted(known)) or "none: there are no sets here"
        raise entry.fail(
            f"no set '@{name}': " + (f"did you mean '@{near[0]}'?" if near else f"expected one of {names}")
        )
    return known[name]


def _effect(entry: Value) -> Kind:
    text = entry.text("bash")
    if text not in EFFECTS:
        raise entry.fail(f"bash: unknown effect '{text}': expected one of {', '.join(EFFECTS)}")
    return Kind(text)


def _pattern(entry: Value) -> tuple[str, ...]:
    """Words of `pytest *`; a list of words is taken as it is (for words with blanks)."""
    words = [word.text("run") for word in entry.data] if isinstance(entry.data, list) else entry.text("run").split()
    if not words:
        raise entry.fail("run: expected a command (got nothing)")
    if "*" in words[0]:
        raise entry.fail(f"run: expected the name of a program first (got '{words[0]}')")
    for word in words[:-1] if words[-1] == "*" else words:
        if "*" in word:
            raise entry.fail(f"run: words are matched as a whole, '*' may only be the last one (got '{word}')")
        if not isinstance(entry.data, list) and any(char in "'\"\\$`;|&<>()" for char in word):
            raise entry.fail(f"run: expected plain words, not shell syntax (got '{word}')")
    return tuple(words)


def _glob(entry: Value) -> str:
    text = entry.text("write")
    parts = text.split("/")
    if text.startswith(("/", "~")) or ".." in parts or "\\" in text:
        raise entry.fail(f"write: expected a path inside the repository, relative to its root (got '{text}')")
    if any(part in ("", ".") for part in parts):
        raise entry.fail(f"write: expected a path without empty parts and '.' (got '{text}')")
    return text


def _tool(entry: Value) -> str:
    text = entry.text("tools")
    if "*" in text or "?" in text:
        raise entry.fail(f"tools: expected the exact name of a tool (got '{text}')")
    return text


def _subagents(entry: Value | None) -> str:
    if entry is None:
        return "same"
    text = entry.text("subagents")
    if text not in SUBAGENTS:
        raise entry.fail(f"subagents: expected {', '.join(SUBAGENTS)} (got '{text}')")
    return text
