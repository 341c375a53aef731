"""A rule that allows an interpreter or a shell.

Whatever the rest of the line says is run: `-c`, `-e`, a script from standard input, a file that was just written.
There is no safe prefix of an interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B102"
NAME = "interpreter"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(python3 -:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad("interpreter", "RULE lets any code run", "allow the exact command that you need, or nothing")
