"""A `:*` that is not at the end.

Only the last `:*` is the end of a prefix; elsewhere the colon is text that no command has.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N204"
NAME = "colon-in-the-middle"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"deny": ["Bash(*:.env)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("colon-in-the-middle", "", "")
