"""A rule that allows a reader with options or operands that write, delete or run.

The program mostly reads, but an option, an operand or a script of it does more, and a prefix cannot keep that out.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B107"
NAME = "unsafe-option"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(sort:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(sort a.txt)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad(
        "unsafe-option",
        "RULE lets an option or operand through that does more than read",
        "allow exact commands, or a guard that reads options",
    )
