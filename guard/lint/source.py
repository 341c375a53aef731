"""A text file and the places in it."""

from __future__ import annotations

from bisect import bisect_right

from guard.model.errors import RuleError

LIMIT = 8 << 20
"""Largest file that is read, in bytes."""


class Source:
    """`text` of the file at `path`; `place` says in which line and column an offset is, both from 1."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, at most the end of the line."""
        if line < 1:
            return 0
        start = self._starts[min(line, len(self._starts)) - 1]
        end = self.text.find("\n", start)
        return min(start + max(column, 1) - 1, len(self.text) if end < 0 else end)


def read(path: str, shown: str | None = None) -> Source:
    """The file at `path`. Raises RuleError where it is no UTF-8 text, too large, or cannot be read."""
    shown = shown or path
    try:
        with open(path, "rb") as file:
            raw = file.read(LIMIT + 1)
    except OSError as error:
        raise RuleError(shown, 0, 0, f"cannot be read: {error.strerror or error}") from error
    if len(raw) > LIMIT:
        raise RuleError(shown, 0, 0, f"larger than {LIMIT >> 20} MiB: not read")
    if b"\0" in raw:
        raise RuleError(shown, raw.count(b"\n", 0, raw.index(b"\0")) + 1, 0, "holds a NUL byte: not a text file")
    try:
        return Source(shown, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RuleError(shown, raw.count(b"\n", 0, error.start) + 1, 0, "not valid UTF-8") from error
