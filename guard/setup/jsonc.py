"""JSON with comments as a text that a person owns: finds values with their places, changes no other byte.

Comments and trailing commas are read wherever they stand; whether a runtime takes them is not decided here.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from guard.model.errors import GuardError


class TextError(GuardError):
    """The text is not JSON with comments, or not of the expected form."""


class Node(NamedTuple):
    """A value at `text[start:end]`. `members` are those of an object (with keys) or of an array (keys are empty)."""

    kind: str
    start: int
    end: int
    members: tuple[tuple[str, int, Node], ...] = ()
    """(key, start of the key or of the element, value)"""
    value: Any = None

    def get(self, key: str) -> Node | None:
        """The last value under a key, which is the one that readers take."""
        return next((node for name, _, node in reversed(self.members) if name == key), None)


def parse(text: str) -> Node:
    """The value of a whole text. Raises TextError with line and column."""
    reader = _Reader(text)
    start = 1 if text.startswith("\ufeff") else 0
    node = reader.value(reader.skip(start))
    end = reader.skip(node.end)
    if end != len(text):
        raise reader.error(end, "something after the value")
    return node


def plain(node: Node) -> Any:
    """The value as Python data."""
    if node.kind == "object":
        return {key: plain(inner) for key, _, inner in node.members}
    return [plain(inner) for _, _, inner in node.members] if node.kind == "array" else node.value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def error(self, at: int, what: str) -> TextError:
        line = self.text.count("\n", 0, at) + 1
        return TextError(f"line {line}, column {at - self.text.rfind(chr(10), 0, at)}: {what}")

    def skip(self, at: int) -> int:
        """The next place that is neither blank nor comment."""
        text = self.text
        while at < len(text):
            if text[at] in " \t\r\n":
                at += 1
            elif text.startswith("//", at):
                end = text.find("\n", at)
                at = len(text) if end < 0 else end
            elif text.startswith("/*", at):
                end = text.find("*/", at + 2)
                if end < 0:
                    raise self.error(at, "a comment that does not end")
                at = end + 2
            else:
                break
        return at

    def value(self, at: int) -> Node:
        if self.text.startswith("{", at):
            return self.container(at, "object", "}")
        if self.text.startswith("[", at):
            return self.container(at, "array", "]")
        try:
            value, end = json.JSONDecoder(strict=False).raw_decode(self.text, at)
        except (ValueError, RecursionError) as error:
            raise self.error(at, "expected a value") from error
        return Node("scalar", at, end, (), value)

    def container(self, start: int, kind: str, close: str) -> Node:
        members: list[tuple[str, int, Node]] = []
        at = self.skip(start + 1)
        while not self.text.startswith(close, at):
            begin, key = at, ""
            if kind == "object":
                name = self.value(at)
                if not isinstance(name.value, str):
                    raise self.error(at, "expected a key")
                key, at = name.value, self.skip(name.end)
                if not self.text.startswith(":", at):
                    raise self.error(at, "expected ':'")
                at = self.skip(at + 1)
            node = self.value(at)
            members.append((key, begin, node))
            at = self.skip(node.end)
            if self.text.startswith(",", at):
                at = self.skip(at + 1)
            elif not self.text.startswith(close, at):
                raise self.error(at, f"expected ',' or '{close}'")
        return Node(kind, start, at + 1, tuple(members))


def put(text: str, path: tuple[str, ...], value: Any, *, append: bool) -> str:
    """The text with a value at a path of keys, `append`: as the last element of the array there.

    Objects and arrays on the way are made where they are missing. Raises TextError if something else stands there.
    """
    if not text.strip("\ufeff \t\r\n"):
        text += "{}\n"
    root = parse(text)
    node, depth = root, 0
    while depth < len(path) and node.kind == "object" and (inner := node.get(path[depth])) is not None:
        node, depth = inner, depth + 1
    rest = path[depth:]
    if rest and node.kind == "object":
        made: Any = [value] if append else value
        for key in reversed(rest[1:]):
            made = {key: made}
        return _inserted(text, node, rest[0], made)
    if not rest and append and node.kind == "array":
        return _inserted(text, node, None, value)
    raise TextError(
        f"{'.'.join(path)}: expected {'an object' if rest else 'a list'} at {'.'.join(path[:depth]) or 'the top'}"
    )


def _inserted(text: str, node: Node, key: str | None, value: Any) -> str:
    """The text with one more member at the end of an object or array."""
    reader = _Reader(text)
    close = node.end - 1
    place = len(text[:close].rstrip(" \t\r\n"))
    lines = "\n" in text[node.start : node.end] or (not node.members and (node.start == 0 or key is not None))
    unit, newline = _style(text)
    outer = _indent_at(text, node.start)
    inner = _indent_at(text, node.members[0][1]) if node.members and lines else outer + unit
    if lines:
        shown = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + inner)
    else:
        shown = json.dumps(value, ensure_ascii=False)
    member = shown if key is None else f"{json.dumps(key, ensure_ascii=False)}: {shown}"
    before, tail = text[:place], text[place:close]
    if node.members:
        last = node.members[-1][2].end
        comma = reader.skip(last)
        if text.startswith(",", comma):
            member += ","
        else:
            before = text[:last] + "," + text[last:place]
    lead = newline + inner if lines else (" " if node.members else "")
    if lines and "\n" not in tail:
        tail = newline + outer
    return before + lead + member + tail + text[close:]


def replaced(text: str, node: Node, value: Any) -> str:
    """The text with another value in the place of a node."""
    unit, newline = _style(text)
    lines = "\n" in text[node.start : node.end]
    shown = json.dumps(value, indent=unit if lines else None, ensure_ascii=False)
    return text[: node.start] + shown.replace("\n", newline + _indent_at(text, node.start)) + text[node.end :]


def removed(text: str, parent: Node, index: int) -> str:
    """The text without one member of an object or array, its comma and the line that it leaves blank."""
    reader = _Reader(text)
    _, start, node = parent.members[index]
    end = reader.skip(node.end)
    if text.startswith(",", end):
        end += 1
    else:
        end = node.end
        if index > 0:
            comma = reader.skip(parent.members[index - 1][2].end)
            text = text[:comma] + text[comma + 1 :]
            start, end = start - 1, end - 1
    blank = len(text[:start].rstrip(" \t"))
    if text[blank - 1 : blank] == "\n":
        start = blank - 1 - (text[blank - 2 : blank - 1] == "\r")
    elif blank < start and index > 0:
        start = blank
    return text[:start] + text[end:]


def _style(text: str) -> tuple[str, str]:
    """The indentation of a level, and how lines end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    for line in text.splitlines()[1:]:
        blank = line[: len(line) - len(line.lstrip(" \t"))]
        if blank and line.strip():
            return ("\t" if blank[0] == "\t" else blank), newline
    return "  ", newline


def _indent_at(text: str, at: int) -> str:
    """The blanks at the beginning of the line that holds a place."""
    line = text[text.rfind("\n", 0, at) + 1 : at].removeprefix("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]
