"""A rule that ignores case.

Options that differ only in case often have opposite effects.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B118"
NAME = "ignore-case"
SEVERITY = "warning"
BAD = Example("list", "allow ignore-case words file -c\n")
GOOD = Example("list", "allow exact git status\n")


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad("ignore-case", "RULE also passes an option of the other case", "compare with case")
