"""Parentheses behind an MCP tool.

MCP rules are names; a specifier makes the rule invalid.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N206"
NAME = "mcp-parentheses"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["mcp__srv__tool(arg)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["mcp__srv__tool"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("mcp-parentheses", "", "drop the parentheses")
