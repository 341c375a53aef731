"""A rule that any mention of a text satisfies.

A comment is enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B115"
NAME = "substring"
SEVERITY = "error"
BAD = Example("list", "allow contains codex-companion.mjs\n")
GOOD = Example("list", "allow exact git status\n")


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad(
        "substring", "any command that mentions RULE passes", "compare whole words from the start of the command"
    )
