"""A deny pattern over text that the same command in other words avoids.

A variable, quotes, a subshell or a `cd` hide the text that the pattern looks for.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.deny import missed

CODE = "D306"
NAME = "text-pattern"
SEVERITY = "error"
BAD = Example("opencode", '{"permission": {"bash": {"*": "ask", "*.env*": "deny"}}}')
GOOD = Example("opencode", '{"permission": {"bash": {"*": "ask", "ls *": "allow"}}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for one in file.evasions:
        if one.kind == "text-pattern":
            yield missed(
                file,
                one,
                "the same act in other words is not matched",
                "deny the file with the tool's own path rules, or use a guard that reads the command",
            )
