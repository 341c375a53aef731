"""A rule for a program in a place that the agent can write.

The file can be changed, or a new one put there, and then run by this rule.
In the project, where changes are seen, it is a warning, as for other code of the project.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B110"
NAME = "writable-path"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(./scripts/:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad(
        "writable-path",
        "RULE runs whatever is put at that path",
        "install the program outside of the work tree, or let it be asked about",
        lambda one: "" if one.witness.command.startswith(("/", "~", "$", "../")) else "warning",
    )
