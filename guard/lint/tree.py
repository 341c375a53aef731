"""Data with places: what JSON and TOML files say, and at which offsets."""

from __future__ import annotations

from collections.abc import Iterator

from guard.model.record import NamedTuple


class Entry(NamedTuple):
    """`key: value`; the offsets are the key's own."""

    key: str
    start: int
    end: int
    value: Node


class Node(NamedTuple):
    """`data` is a list of Entry (an object), a list of Node, str, int, float, bool or None.

    `start` and `end` are the offsets of the value, quotes included. `is_object` tells the two kinds of list apart.
    """

    data: object
    start: int
    end: int
    is_object: bool = False

    def entries(self) -> list[Entry]:
        """The entries of an object; none where it is something else."""
        return self.data if self.is_object and isinstance(self.data, list) else []

    def items(self) -> list[Node]:
        """The elements of an array; none where it is something else."""
        return self.data if not self.is_object and isinstance(self.data, list) else []

    def get(self, *path: str) -> Node | None:
        """The value below the keys; of a key that stands twice the last, as most readers take it."""
        node: Node | None = self
        for key in path:
            found = [entry.value for entry in node.entries() if entry.key == key] if node else []
            node = found[-1] if found else None
        return node

    def strings(self) -> list[tuple[str, Node]]:
        """The texts among the elements of an array, each with its node; a lone text counts as an array of one."""
        nodes = [self] if isinstance(self.data, str) else self.items()
        return [(node.data, node) for node in nodes if isinstance(node.data, str)]

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += [entry.value for entry in node.entries()] + node.items()


class SyntaxProblem(NamedTuple):
    """Where a text stops being valid. `edit` is (start, end, text) of what would mend it, where that is plain."""

    message: str
    start: int
    end: int
    edit: tuple[int, int, str] | None = None
