"""A key that the tool does not read.

What stands under it has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N212"
NAME = "unknown-key"
SEVERITY = "error"
BAD = Example("claude", '{"autoApprovedTools": ["Bash"]}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("unknown-key", "", "")
