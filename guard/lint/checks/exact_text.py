"""A deny rule that another blank avoids.

The rule is compared as text: a second blank, a comment or a path makes another text.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.deny import missed

CODE = "D305"
NAME = "exact-text"
SEVERITY = "error"
BAD = Example("gemini-settings", '{"excludeTools": ["ShellTool(rm -rf /)"]}')
GOOD = Example("gemini-settings", '{"tools": {"exclude": ["web_fetch"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for one in file.evasions:
        if one.kind == "exact-text":
            yield missed(
                file,
                one,
                "the same command with other blanks is not stopped",
                "write a policy with commandPrefix, or use a guard",
            )
