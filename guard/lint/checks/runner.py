"""A rule that allows a program that runs other programs.

`env`, `xargs`, `timeout`, `sudo`, `npx`, `mise exec` and their kin run the command that follows them, so the rule
allows all commands.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B103"
NAME = "runner"
SEVERITY = "error"
BAD = Example("opencode", '{"permission": {"bash": {"*": "ask", "timeout *": "allow"}}}')
GOOD = Example("opencode", '{"permission": {"bash": {"*": "ask", "ls *": "allow"}}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad(
        "runner", "RULE lets any command run behind it", "allow the inner commands by their own names"
    )
