"""A rule whose parentheses are wrong.

The rule is dropped. Of a deny rule nothing is left.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N203"
NAME = "malformed-rule"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"deny": ["Bash(rm -rf /)*"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("malformed", "", "close the rule at its end")
