"""A rule that also passes another command behind its own.

The tool, or a version of it, holds the rule against the whole line, so `;` and `&&` carry anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B117"
NAME = "compound"
SEVERITY = "warning"
BAD = Example("list", "allow words cd\n")
GOOD = Example("list", "allow exact git status\n")


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad("compound", "RULE also passes a second command on the same line", "allow exact commands")
