"""A rule that allows what deletes, writes or sends.

The command itself changes files, the repository or something outside: every call of it should be asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B106"
NAME = "destructive"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(rm:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad("destructive", "RULE allows a command that changes things by itself", "let it be asked about")
