"""A key that stands twice.

The later one replaces the earlier one without notice.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N213"
NAME = "duplicate-key"
SEVERITY = "error"
BAD = Example("opencode", '{"permission": {"edit": "deny", "edit": {"*": "allow"}}}')
GOOD = Example("opencode", '{"permission": {"edit": "deny"}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked(
        "duplicate-key", "keep one of them: the last one counts, what the earlier one says is lost", ""
    )
