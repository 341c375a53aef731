"""JSON with comments → Node. Hand-written because `json` keeps no places.

Comments are always read. Trailing commas are read on, so that the rest is checked too, and reported where the tool does
not take them.
"""

from __future__ import annotations

import json

from guard.lint.tree import Entry, Node, SyntaxProblem

DEPTH = 100
_BLANKS = " \t\r\n\ufeff"
_WORDS = {"true": True, "false": False, "null": None}
_ENDS = frozenset(_BLANKS + ',:]}[{"/')


class _StopError(Exception):
    """The text cannot be read on."""


def parse(text: str, trailing_commas: bool = False) -> tuple[Node | None, list[SyntaxProblem]]:
    """(the value, problems). The value is None where the text could not be read to its end."""
    reader = _Reader(text, trailing_commas)
    try:
        reader.blanks()
        if reader.at == len(text):
            reader.fail("an empty file", 0)
        node = reader.value(0)
        reader.blanks()
        if reader.at < len(text):
            reader.fail("text after the end of the value")
    except _StopError:
        return None, reader.problems
    return node, reader.problems


class _Reader:
    def __init__(self, text: str, trailing_commas: bool) -> None:
        self.text = text
        self.at = 0
        self.trailing_commas = trailing_commas
        self.problems: list[SyntaxProblem] = []

    def fail(self, message: str, at: int | None = None) -> None:
        start = self.at if at is None else at
        self.problems.append(SyntaxProblem(message, start, min(start + 1, len(self.text))))
        raise _StopError

    def blanks(self) -> None:
        text, size = self.text, len(self.text)
        while self.at < size:
            if text[self.at] in _BLANKS:
                self.at += 1
            elif text.startswith("//", self.at):
                end = text.find("\n", self.at)
                self.at = size if end < 0 else end
            elif text.startswith("/*", self.at):
                end = text.find("*/", self.at + 2)
                if end < 0:
                    self.fail("a comment that does not end")
                self.at = end + 2
            else:
                return

    def value(self, depth: int) -> Node:
        if depth > DEPTH:
            self.fail(f"nested more than {DEPTH} deep")
        char = self.text[self.at : self.at + 1]
        start = self.at
        if char == "{":
            return self.object(depth)
        if char == "[":
            return self.array(depth)
        if char == '"':
            return Node(self.string(), start, self.at)
        while self.at < len(self.text) and self.text[self.at] not in _ENDS:
            self.at += 1
        word = self.text[start : self.at]
        if word in _WORDS:
            return Node(_WORDS[word], start, self.at)
        try:
            return Node(json.loads(word), start, self.at)
        except ValueError:
            self.fail(f"expected a value (got {word[:20]!r})" if word else "expected a value", start)
            raise

    def string(self) -> str:
        start = self.at
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] not in '"\n':
            self.at += 2 if self.text[self.at] == "\\" else 1
        if self.text[self.at : self.at + 1] != '"':
            self.fail("a text that does not end on its line", start)
        self.at += 1
        try:
            found = json.loads(self.text[start : self.at], strict=False)
        except ValueError:
            self.fail("a text with a wrong escape", start)
            raise
        return str(found)

    def object(self, depth: int) -> Node:
        start = self.at
        entries: list[Entry] = []
        self.at += 1
        while self.more("}", bool(entries)):
            key_start = self.at
            if self.text[self.at : self.at + 1] != '"':
                self.fail("expected a key in double quotes")
            key, key_end = self.string(), self.at
            self.blanks()
            if self.text[self.at : self.at + 1] != ":":
                self.fail("expected ':' after the key")
            self.at += 1
            self.blanks()
            entries.append(Entry(key, key_start, key_end, self.value(depth + 1)))
        return Node(entries, start, self.at, True)

    def array(self, depth: int) -> Node:
        start = self.at
        nodes: list[Node] = []
        self.at += 1
        while self.more("]", bool(nodes)):
            nodes.append(self.value(depth + 1))
        return Node(nodes, start, self.at)

    def more(self, end: str, after_one: bool) -> bool:
        """Whether another element follows; the comma before it, or the end, is read."""
        self.blanks()
        comma = -1
        if after_one and self.text[self.at : self.at + 1] == ",":
            comma = self.at
            self.at += 1
            self.blanks()
        char = self.text[self.at : self.at + 1]
        if char == end:
            if comma >= 0 and not self.trailing_commas:
                self.problems.append(SyntaxProblem("a comma before the end", comma, comma + 1, (comma, comma + 1, "")))
            self.at += 1
            return False
        if not char:
            self.fail(f"expected '{end}' before the end of the file")
        if after_one and comma < 0:
            self.fail(f"expected ',' or '{end}'")
        return True
