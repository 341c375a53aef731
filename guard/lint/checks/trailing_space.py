"""A prefix that ends in a blank.

The word's end is added by the tool: with a blank of its own the prefix needs two.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N211"
NAME = "trailing-space"
SEVERITY = "error"
BAD = Example(
    "gemini-policy",
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "ls "\ndecision = "allow"\npriority = 100\n',
)
GOOD = Example(
    "gemini-policy",
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "ls"\ndecision = "allow"\npriority = 100\n',
)


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("trailing-space", "", "drop the blank")
