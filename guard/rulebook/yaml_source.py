"""YAML with places: every value knows the line and column it was written at.

Only plain data (mappings with text keys, lists, text, whole numbers, `true`/`false`); duplicate keys, tags and multiple
documents are errors. Used by rules, workflows and the board; never on the hook path.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import yaml

from guard.model.errors import RuleError

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML without libyaml: slower, the same data
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

LIMIT = 1 << 20
"""Largest data file that is read, in bytes."""
MAX_VALUES = 100_000
"""Most values of one file, those that aliases stand for counted as often as they are named."""


class Value(NamedTuple):
    """`data` is a dict[str, Value], a list[Value], str, int, bool or None; `line` and `column` count from 1."""

    data: object
    line: int
    column: int
    path: str

    def fail(self, message: str) -> RuleError:
        """The error to raise for this place."""
        return RuleError(self.path, self.line, self.column, message)

    def mapping(self, what: str) -> dict[str, Value]:
        """This value as a mapping, or a located error."""
        if not isinstance(self.data, dict):
            raise self.fail(f"{what}: expected a mapping (got {self.described()})")
        return self.data

    def sequence(self, what: str) -> list[Value]:
        """This value as a list, or a located error."""
        if not isinstance(self.data, list):
            raise self.fail(f"{what}: expected a list (got {self.described()})")
        return self.data

    def text(self, what: str) -> str:
        """This value as non-empty text, or a located error; numbers are taken as they were written."""
        if isinstance(self.data, bool) or not isinstance(self.data, (str, int)) or self.data == "":
            raise self.fail(f"{what}: expected text (got {self.described()})")
        return str(self.data)

    def flag(self, what: str) -> bool:
        """This value as true or false, or a located error."""
        if not isinstance(self.data, bool):
            raise self.fail(f"{what}: expected true or false (got {self.described()})")
        return self.data

    def number(self, what: str) -> int:
        """This value as a whole number, or a located error."""
        if isinstance(self.data, bool) or not isinstance(self.data, int):
            raise self.fail(f"{what}: expected a whole number (got {self.described()})")
        return self.data

    def described(self) -> str:
        """What was found, for `expected … (got …)`."""
        data = self.data
        if isinstance(data, dict):
            return "a mapping"
        if isinstance(data, list):
            return "a list"
        if data is None or data == "":
            return "nothing"
        return f"'{str(data)[:40]}'" if isinstance(data, str) else str(data).lower()


def read_file(path: str, shown: str | None = None) -> Value:
    """The one document in the file at `path`; `shown` is the name that errors carry. Raises RuleError."""
    shown = shown or path
    if os.path.exists(path) and not os.path.isfile(path):
        raise RuleError(shown, 0, 0, "not a plain file")  # a pipe or a terminal would never end
    try:
        with open(path, "rb") as file:
            raw = file.read(LIMIT + 1)
    except OSError as error:
        raise RuleError(shown, 0, 0, f"cannot be read: {error.strerror or error}") from error
    if len(raw) > LIMIT:
        raise RuleError(shown, 0, 0, f"larger than {LIMIT} bytes")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RuleError(shown, raw.count(b"\n", 0, error.start) + 1, 0, "not valid UTF-8") from error
    return read_text(text, shown)


def read_text(text: str, shown: str) -> Value:
    """The one document in `text`. Raises RuleError."""
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise RuleError(shown, line, column, f"not valid YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise RuleError(shown, 0, 0, f"not valid YAML: {str(error).splitlines()[0]}") from error
    except RecursionError as error:
        raise RuleError(shown, 0, 0, "nested too deeply") from error
    if node is None:
        raise RuleError(shown, 1, 1, "empty file: expected a mapping")
    return _convert(node, shown, (), count())


def _convert(node: yaml.Node, path: str, inside: tuple[int, ...], made: Iterator[int]) -> Value:
    line, column = node.start_mark.line + 1, node.start_mark.column + 1
    if id(node) in inside or len(inside) > 50:
        raise RuleError(path, line, column, "an alias that contains itself, or nesting over 50")
    if next(made) >= MAX_VALUES:
        raise RuleError(path, line, column, f"aliases that stand for more than {MAX_VALUES} values")
    inside = (*inside, id(node))
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Value] = {}
        for key, value in node.value:
            at = (key.start_mark.line + 1, key.start_mark.column + 1)
            if not isinstance(key, yaml.ScalarNode):
                raise RuleError(path, *at, "a key must be text")
            if key.value in found:
                raise RuleError(path, *at, f"key '{key.value}' stands twice")
            found[key.value] = _convert(value, path, inside, made)._replace(line=at[0], column=at[1])
        return Value(found, line, column, path)
    if isinstance(node, yaml.SequenceNode):
        return Value([_convert(item, path, inside, made) for item in node.value], line, column, path)
    return Value(_scalar(node, path), line, column, path)


def _scalar(node: yaml.Node, path: str) -> object:
    tag, text = node.tag, node.value
    if tag == "tag:yaml.org,2002:bool" and text in ("true", "false"):
        return bool(text == "true")
    if tag == "tag:yaml.org,2002:int" and text.lstrip("-").isdecimal():
        return int(text)
    if tag == "tag:yaml.org,2002:null":
        return None
    if not tag.startswith("tag:yaml.org,2002:"):
        raise RuleError(path, node.start_mark.line + 1, node.start_mark.column + 1, f"tag '{tag}' is not allowed")
    return text
