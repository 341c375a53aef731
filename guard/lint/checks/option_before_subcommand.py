"""A deny rule that an option before the subcommand avoids.

`git -C . push` does not begin with `git push`.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.deny import missed

CODE = "D302"
NAME = "option-before-subcommand"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"deny": ["Bash(git push:*)"]}}')
GOOD = Example("claude", '{"permissions": {"deny": ["WebFetch"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for one in file.evasions:
        if one.kind == "option-before-subcommand":
            yield missed(
                file,
                one,
                "an option before the subcommand avoids the prefix",
                "deny the program as a whole and allow what reads, or use a guard that reads options",
            )
