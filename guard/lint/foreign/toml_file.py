"""What the readers of TOML files share."""

from __future__ import annotations

from guard.lint import toml_text
from guard.lint.policy import Mark
from guard.lint.source import Source
from guard.lint.tree import Node


def load(source: Source) -> tuple[Node, list[Mark]]:
    """The tree (an empty table where there is none) and marks for what is wrong with it as TOML."""
    node, problems = toml_text.parse(source.text)
    marks = [Mark("invalid-file", problem.start, problem.end, problem.message) for problem in problems]
    return node or Node([], 0, 0, True), marks
