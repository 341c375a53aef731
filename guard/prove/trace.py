"""Reads the output of `strace -f -yy -ttt`: one record for each system call, the pieces of interrupted ones joined."""

from __future__ import annotations

from typing import NamedTuple

_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_OCTAL = "01234567"
_ESCAPES = {"n": 10, "t": 9, "r": 13, "v": 11, "f": 12, "a": 7, "b": 8}


class Call(NamedTuple):
    """`arguments` as strace shows them; `result` is the text after `=`: `3</path>`, `0`, or `-1 ENOENT (…)`."""

    process: int
    at: float
    name: str
    arguments: tuple[str, ...]
    result: str

    @property
    def error(self) -> str:
        """The name of the error, empty where the call succeeded."""
        return self.result.split(" ")[1] if self.result.startswith("-1 ") else ""


class Trace(NamedTuple):
    """`ended` has the time at which each process ended, for those that did."""

    calls: tuple[Call, ...]
    started: dict[int, float]
    ended: dict[int, float]


def read(lines: list[str]) -> Trace:
    """The calls of a trace in the order in which they ended."""
    calls: list[Call] = []
    pending: dict[int, str] = {}
    started: dict[int, float] = {}
    ended: dict[int, float] = {}
    for line in lines:
        head, _, rest = line.strip().partition(" ")
        stamp, _, rest = rest.strip().partition(" ")
        if not head.isdigit() or not stamp.replace(".", "", 1).isdigit():
            continue
        process, at = int(head), float(stamp)
        started.setdefault(process, at)
        if rest.startswith("+++"):
            ended[process] = at
        elif rest.startswith("---"):
            continue
        elif rest.startswith("<... "):
            resumed = rest.find(" resumed>")
            text = pending.pop(process, "") + rest[resumed + len(" resumed>") :]
            calls += _call(process, at, text)
        elif "<unfinished ...>" in rest:
            pending[process] = rest[: rest.rindex("<unfinished ...>")].rstrip()
        else:
            calls += _call(process, at, rest)
    for process, text in pending.items():
        calls += _call(process, started[process], text.rstrip(", ") + ") = ?")
    return Trace(tuple(calls), started, ended)


def _call(process: int, at: float, text: str) -> list[Call]:
    name, bracket, _ = text.partition("(")
    if not bracket or not name.replace("_", "").isalnum():
        return []
    end, arguments = _arguments(text, len(name) + 1)
    _, _, result = text[end:].partition("=")
    return [Call(process, at, name, tuple(arguments), result.strip())]


def _arguments(text: str, at: int) -> tuple[int, list[str]]:
    """The arguments from `at` on, split at the commas of the outermost level; where the list ends."""
    found: list[str] = []
    expected: list[str] = []
    begin = at
    while at < len(text):
        char = text[at]
        if char == '"':
            at = _string_end(text, at)
            continue
        if char == "/" and text.startswith("/*", at):
            at = text.index("*/", at) + 2
            continue
        if char == "<" and expected[-1:] == [">"]:
            pass  # a path in angle brackets may hold anything but `>`
        elif expected[-1:] == [">"]:
            if char == ">":
                expected.pop()
        elif char in _CLOSING and not (char == "<" and text[at + 1 : at + 2] in ("<", " ", "=")):
            expected.append(_CLOSING[char])
        elif expected and char == expected[-1]:
            expected.pop()
        elif char == ")" and not expected:
            break
        elif char == "," and not expected:
            found.append(text[begin:at].strip())
            begin = at + 1
        at += 1
    last = text[begin:at].strip()
    return at + 1, [*found, last] if last or found else found


def _string_end(text: str, at: int) -> int:
    at += 1
    while at < len(text) and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1


def string(argument: str) -> str:
    """The text of a quoted argument; other arguments as they stand."""
    if not argument.startswith('"'):
        return argument
    inner = argument[1 : argument.rindex('"')]
    found = bytearray()
    at = 0
    while at < len(inner):
        if inner[at] != "\\":
            found += inner[at].encode()
            at += 1
        elif inner[at + 1] in _OCTAL:
            size = 1
            while size < 3 and inner[at + 1 + size : at + 2 + size] in set(_OCTAL):
                size += 1
            found.append(int(inner[at + 1 : at + 1 + size], 8) & 255)
            at += 1 + size
        else:
            found += bytes([_ESCAPES[inner[at + 1]]]) if inner[at + 1] in _ESCAPES else inner[at + 1].encode()
            at += 2
    return found.decode("utf-8", "backslashreplace")


def path(argument: str) -> str | None:
    """The path that strace shows behind a file descriptor (`3</etc/passwd>`), or None."""
    number, bracket, rest = argument.partition("<")
    if not bracket or not rest.endswith(">") or not (number.isdigit() or number == "AT_FDCWD"):
        return None
    shown = rest[:-1]
    if shown.endswith(">"):  # `/dev/null<char 1:3>`
        shown = shown[: shown.rindex("<")]
    return string(f'"{shown}"').removesuffix(" (deleted)")
