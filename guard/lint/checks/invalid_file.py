"""A file that the tool cannot read.

Tools ignore such a file as a whole, with its deny rules, and often say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N200"
NAME = "invalid-file"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)",]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked(
        "invalid-file", "the tool leaves the file out as a whole, its deny rules too", "take the comma out"
    )
