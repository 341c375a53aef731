"""An ask or deny rule that a `cd` in front avoids.

Versions that match the whole line see only its start.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.deny import missed

CODE = "D304"
NAME = "leading-cd"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"ask": ["Bash(git clean -f*)"]}}')
GOOD = Example("claude", '{"permissions": {"ask": ["WebFetch"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for one in file.evasions:
        if one.kind == "leading-cd":
            yield missed(file, one, "a `cd` in front skips the rule", "do not rely on it: use a hook or a guard")
