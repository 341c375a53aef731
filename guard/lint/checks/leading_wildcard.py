"""A rule that begins with a wildcard.

Whatever stands at the place of the star is the program.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B109"
NAME = "leading-wildcard"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(* --version)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad("leading-wildcard", "RULE leaves the program open", "name the program")
