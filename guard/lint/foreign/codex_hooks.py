"""Codex: `hooks.json` (the shape is Claude Code's; see https://developers.openai.com/codex/hooks)."""

from __future__ import annotations

from guard.lint.foreign.claude import hooks
from guard.lint.foreign.json_file import load
from guard.lint.pieces import Matching
from guard.lint.policy import Mark, Policy
from guard.lint.source import Source

NAME = "codex-hooks"
TITLE = "Codex hooks"
PROJECT = (".codex/hooks.json",)
HOME = (".codex/hooks.json",)


def recognises(path: str) -> bool:
    """Whether this is one of the tool's own files."""
    return f"/{path}".endswith("/.codex/hooks.json")


def read(source: Source) -> Policy:
    """The hooks of a file. Codex refuses one that begins with a byte order mark."""
    tree, marks = load(source, trailing_commas=False)
    if source.text.startswith("\ufeff"):
        marks.append(Mark("invalid-file", 0, 1, "a byte order mark: Codex refuses the file"))
    return Policy(source, NAME, Matching(True), (), tuple(marks), hooks(tree.get("hooks")), tree)
