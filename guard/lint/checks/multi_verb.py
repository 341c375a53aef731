"""A rule for a whole program with subcommands that change things.

The program both reads and changes: allow the reading subcommands one by one.
It is an error where an allowed command leaves the sandbox that others run in.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B105"
NAME = "multi-verb"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(git *)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(git status)", "Bash(git rev-parse HEAD)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad(
        "multi-verb",
        "RULE covers subcommands that change things",
        "allow the subcommands that only read, one by one",
        lambda _: "error" if file.policy.sandboxed else "",
    )
