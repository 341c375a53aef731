"""TOML that a person owns: adds tables at the end and takes them out again, changes no other byte.

A table at the end of a file never changes what stands before it; that it really adds only this is proved by reading the
result.
"""

from __future__ import annotations

import tomllib
from typing import Any

from guard.setup.jsonc import TextError

BEGIN = "# devkit-guard begin: written by `devkit-guard init`, taken out by `devkit-guard uninit`"
END = "# devkit-guard end"


def put(text: str, path: tuple[str, ...], value: dict[str, Any]) -> str:
    """The text with one more table in the array of tables at a path. Raises TextError where that cannot be."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([BEGIN, *_table(path, value), END, ""])
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    after = text + gap + block
    expected = read(text)
    _array(expected, path).append(value)
    try:
        found = read(after)
    except TextError:
        found = {}
    if expected != found:
        raise TextError(f"{'.'.join(path)}: another form of tables stands there; add this by hand:\n{block}")
    return after


def removed(text: str) -> str:
    """The text without what `put` added."""
    while (start := text.find(BEGIN)) >= 0:
        end = text.find(END, start)
        if end < 0:
            raise TextError(f"the line '{END}' is gone: take the part after '{BEGIN}' out by hand")
        end += len(END)
        end += len(text[end:]) - len(text[end:].removeprefix("\r").removeprefix("\n"))
        head = text[:start]
        for gap in ("\r\n\r\n", "\n\n"):
            if head.endswith(gap):
                head = head[: -len(gap) // 2]
        text = head + text[end:]
    return text


def read(text: str) -> dict[str, Any]:
    """The content. Raises TextError."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise TextError(str(error)) from error


def _array(content: dict[str, Any], path: tuple[str, ...]) -> list[Any]:
    for key in path[:-1]:
        content = content.setdefault(key, {})
    found = content.setdefault(path[-1], [])
    if not isinstance(found, list):
        raise TextError(f"{'.'.join(path)}: expected tables (got {type(found).__name__})")
    return found


def _table(path: tuple[str, ...], value: dict[str, Any]) -> list[str]:
    """Lines of an array of tables; lists of tables inside come after the plain keys."""
    lines = [f"[[{'.'.join(path)}]]"]
    lines += [f"{key} = {_scalar(inner)}" for key, inner in value.items() if not isinstance(inner, list)]
    for key, inner in value.items():
        for table in inner if isinstance(inner, list) else ():
            lines += _table((*path, key), table)
    return lines


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
