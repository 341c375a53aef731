"""A `^` where the text before it is not empty.

The expression is tested behind `"command":"`, so it is at the start already, and `^` never fits.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N210"
NAME = "anchor-on-json"
SEVERITY = "error"
BAD = Example(
    "gemini-policy",
    '[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = "^git (log|diff)"\ndecision = "deny"\npriority = 100\n',
)
GOOD = Example(
    "gemini-policy",
    '[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = "ls$"\ndecision = "ask_user"\npriority = 100\n',
)


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("anchor-on-json", "", "drop the ^")
