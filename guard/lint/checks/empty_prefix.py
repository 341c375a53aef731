"""A prefix rule without a prefix.

`Bash(:*)` is skipped; some versions reject the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N205"
NAME = "empty-prefix"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("empty-prefix", "", "")
