"""A rule that lets every shell command through.

A bare tool name, a star or an expression that matches everything switches the tool's question off for all commands.
Name the commands that only read, and let the rest be asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B101"
NAME = "allow-all"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad("allow-all", "RULE lets every command through", "list the commands that only read instead")
