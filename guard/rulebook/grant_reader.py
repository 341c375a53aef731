"""The `guard:` key of a workflow or step (and of the board's stages) → Grant. Strict, errors are located."""

from __future__ import annotations

from guard.model.effect import Kind
from guard.model.grant import READ_ONLY, Grant
from guard.rulebook.yaml_source import Value

KEYS = ("bash", "run", "write", "tools", "subagents")
EFFECTS = tuple(kind.value for kind in Kind if kind is not Kind.OPAQUE)
SUBAGENTS = ("same", "free", "none")

Keys = dict[str, Value]


def guard_keys(value: Value | None) -> Keys:
    """The entries of a `guard:` mapping, its keys checked."""
    if value is None:
        return {}
    keys = value.mapping("guard")
    for key, inner in keys.items():
        if key not in KEYS:
            raise inner.fail(f"guard: unknown key '{key}': expected one of {', '.join(KEYS)}")
    return keys


def read_grant(inherited: Keys, own: Keys) -> Grant:
    """The grant of a step: each key of its own `guard:` replaces the inherited one."""
    keys = {**inherited, **own}
    return Grant(
        frozenset(_effect(entry) for entry in _entries(keys, "bash")) | READ_ONLY,
        tuple(_pattern(entry) for entry in _entries(keys, "run")),
        tuple(_glob(entry) for entry in _entries(keys, "write")),
        tuple(_tool(entry) for entry in _entries(keys, "tools")),
        _subagents(keys.get("subagents")),
    )


def _entries(keys: Keys, name: str) -> list[Value]:
    return keys[name].sequence(name) if name in keys else []


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
