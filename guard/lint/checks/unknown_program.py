"""A rule for a program that nothing is known of.

The rulebook has no rule for it, so nothing says that it only reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B113"
NAME = "unknown-program"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(frobnicate:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad(
        "unknown-program",
        "nothing is known of the program that RULE allows",
        "write a rule for it: see docs/rules-format.md",
    )
