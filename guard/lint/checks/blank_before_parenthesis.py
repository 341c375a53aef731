"""A blank in the name of the tool.

`Bash (ls)` is not a rule for Bash.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N202"
NAME = "blank-before-parenthesis"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash (ls:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("blank-before-parenthesis", "", "take the blank out")
