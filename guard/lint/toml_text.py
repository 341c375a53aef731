"""TOML → Node. `tomllib` decides what is valid; this reader only finds the places of what it accepted."""

from __future__ import annotations

import re
import tomllib

from guard.lint.tree import Entry, Node, SyntaxProblem

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")


def parse(text: str) -> tuple[Node | None, list[SyntaxProblem]]:
    """(the document, problems)."""
    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        found = _AT.search(str(error))
        start = len(text)
        if found:
            lines = text.split("\n")
            start = sum(len(line) + 1 for line in lines[: int(found[1]) - 1]) + int(found[2]) - 1
        message = _AT.sub("", str(error)).strip() or "nested too deeply"
        return None, [SyntaxProblem(message, min(start, len(text)), min(start + 1, len(text)))]
    return _Reader(text).document(), []


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def document(self) -> Node:
        root: list[Entry] = []
        here = root
        while True:
            self.blanks(True)
            if self.at >= len(self.text):
                return Node(root, 0, len(self.text), True)
            if self.text[self.at] == "[":
                here = self.header(root)
            else:
                self.entry(here)

    def header(self, root: list[Entry]) -> list[Entry]:
        many = self.text.startswith("[[", self.at)
        start = self.at
        self.at += 2 if many else 1
        self.blanks(False)
        keys = self.keys()
        self.at = self.text.index("]", self.at) + (2 if many else 1)
        here = root
        for key, key_start, key_end in keys[:-1]:
            here = self.table(here, key, key_start, key_end)
        key, key_start, key_end = keys[-1]
        if not many:
            return self.table(here, key, key_start, key_end)
        found = next((entry.value for entry in here if entry.key == key), None)
        if found is None:
            found = Node([], start, self.at)
            here.append(Entry(key, key_start, key_end, found))
        rows: list[Entry] = []
        found.items().append(Node(rows, start, self.at, True))
        return rows

    def table(self, here: list[Entry], key: str, start: int, end: int) -> list[Entry]:
        """The entries of the table `key`, of the last where it is an array of tables."""
        found = next((entry.value for entry in here if entry.key == key), None)
        if found is None:
            found = Node([], start, end, True)
            here.append(Entry(key, start, end, found))
        return found.entries() if found.is_object else found.items()[-1].entries()

    def entry(self, here: list[Entry]) -> None:
        keys = self.keys()
        self.blanks(False)
        self.at += 1  # the equals sign: tomllib accepted the text
        self.blanks(False)
        for key, start, end in keys[:-1]:
            here = self.table(here, key, start, end)
        key, start, end = keys[-1]
        here.append(Entry(key, start, end, self.value()))

    def keys(self) -> list[tuple[str, int, int]]:
        found = []
        while True:
            start = self.at
            if self.text[self.at] in "\"'":
                key = self.string()
            else:
                while self.text[self.at] in _BARE:
                    self.at += 1
                key = self.text[start : self.at]
            found.append((key, start, self.at))
            self.blanks(False)
            if self.text[self.at : self.at + 1] != ".":
                return found
            self.at += 1
            self.blanks(False)

    def value(self) -> Node:
        start, char = self.at, self.text[self.at]
        if char in "\"'":
            return Node(self.string(), start, self.at)
        if char == "[":
            nodes: list[Node] = []
            while self.more("]"):
                nodes.append(self.value())
            return Node(nodes, start, self.at)
        if char == "{":
            entries: list[Entry] = []
            while self.more("}"):
                self.entry(entries)
            return Node(entries, start, self.at, True)
        while self.at < len(self.text) and self.text[self.at] not in ",]}#\n":
            self.at += 1
        word = self.text[start : self.at].rstrip()
        self.at = start + len(word)
        return Node(tomllib.loads(f"x = {word}")["x"], start, self.at)

    def more(self, end: str) -> bool:
        """Whether another element follows the `[`, `{` or `,` at this place; the end is read."""
        if self.text[self.at] in "[{,":
            self.at += 1
        self.blanks(True)
        if self.text[self.at] == ",":
            self.at += 1
            self.blanks(True)
        if self.text[self.at] == end:
            self.at += 1
            return False
        return True

    def string(self) -> str:
        start, quote = self.at, self.text[self.at]
        if self.text.startswith(quote * 3, self.at):
            self.at += 3
            while not self.text.startswith(quote * 3, self.at):
                self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
            self.at += 3
            while self.text[self.at : self.at + 1] == quote:
                self.at += 1
        else:
            self.at += 1
            while self.text[self.at] != quote:
                self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
            self.at += 1
        return str(tomllib.loads(f"x = {self.text[start : self.at]}")["x"])

    def blanks(self, lines: bool) -> None:
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif char in " \t" or (lines and char in "\r\n"):
                self.at += 1
            else:
                return
