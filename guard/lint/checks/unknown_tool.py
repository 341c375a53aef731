"""A rule for a tool that does not exist.

Tool names are compared exactly, case too: the rule is never used.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N201"
NAME = "unknown-tool"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["bash(ls:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("unknown-tool", "", "write the tool's name as it is")
