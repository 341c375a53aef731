"""The tree of a script as indented lines, for `--explain`."""

from __future__ import annotations

from guard.model.syntax import Script
from guard.report.verdicts import visible


def outline(script: Script) -> list[str]:
    """One line for each node: its type and, for nodes that have a span, the text it covers."""
    lines: list[str] = []
    _node(script.body, script.text, 0, lines)
    return lines


def _node(node: object, text: str, depth: int, lines: list[str]) -> None:
    span = getattr(node, "span", None)
    if span is None or not hasattr(node, "_fields"):
        if isinstance(node, tuple):
            for inner in node:
                _node(inner, text, depth, lines)
        return
    lines.append("  " * depth + f"{type(node).__name__} {visible(text[span.start : span.end])[:100]}")
    if isinstance(node, tuple):
        for inner in node:
            if isinstance(inner, tuple) and inner is not span:
                _node(inner, text, depth + 1, lines)
