"""YAML that a person owns: adds a top-level key at the end, takes it out again, changes no other byte."""

from __future__ import annotations

from typing import Any

from guard.setup.jsonc import TextError
from guard.setup.toml import BEGIN, END, removed

__all__ = ["put", "read", "removed"]


def put(text: str, key: str, lines: tuple[str, ...]) -> str:
    """The text with a new top-level key whose value is in `lines`. Raises TextError if the key is there already."""
    before = read(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([BEGIN, f"{key}:", *lines, END, ""])
    if key in before:
        raise TextError(f"there is a key '{key}' already: add this to it by hand:\n" + "\n".join(lines))
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    after = text + gap + block
    found = read(after)
    found.pop(key, None)
    if found != before:
        raise TextError(f"the file has no room for a key at its end: add this by hand:\n{block}")
    return after


def read(text: str) -> dict[str, Any]:
    """The content, empty where there is none. Raises TextError."""
    import yaml

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise TextError(str(error)) from error
    if found is not None and not isinstance(found, dict):
        raise TextError("expected keys at the top")
    return found or {}
