"""A pattern over tool names that is skipped.

In allow lists patterns over server names are not used.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N219"
NAME = "tool-glob-skipped"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["mcp__*"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["mcp__srv__tool"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("tool-glob-skipped", "name the tools", "")
