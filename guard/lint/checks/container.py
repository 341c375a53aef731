"""A rule that allows a container or cluster program.

With a bind mount or `exec` every file of the machine is in reach, as root.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B104"
NAME = "container"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(docker:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad(
        "container",
        "RULE reaches the whole machine through containers",
        "allow subcommands that only list, such as `docker ps`, one by one",
    )
