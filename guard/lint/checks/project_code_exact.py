"""An exact command that runs code of the project.

The command is fixed, what it runs is not: its text lives in the repository and can change.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B112"
NAME = "project-code-exact"
SEVERITY = "info"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(npm run build)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad("project-code-exact", "RULE is one command, but what it runs can change", "")
