"""A rule that runs code of the project.

Package managers, build tools and test runners run scripts that stand in the repository, where the agent can change
them.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B111"
NAME = "project-code"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(npm:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad(
        "project-code",
        "RULE runs scripts that the repository holds",
        "grant such commands only while a step of a workflow needs them",
    )
