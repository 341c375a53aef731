"""A regular expression that matches inside of other commands.

Without `^` the expression fits a command that only mentions the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B114"
NAME = "unanchored-regex"
SEVERITY = "error"
BAD = Example("list", "allow regex git status|ls\n")
GOOD = Example("list", "allow exact git status\n")


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad("unanchored-regex", "RULE matches inside of longer commands", "anchor it with ^ and $")
