"""A rule that allows what deletes, writes or sends.

The command itself changes files, the repository or something outside: every call of it should be asked about.
What writes files or the repository is a warning, and so is a subcommand, which somebody meant by its name, unless that
deletes or changes the machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.model.effect import Kind

CODE = "B106"
NAME = "destructive"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(rm:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')

GRAVE = (Kind.DELETE, Kind.SYSTEM, Kind.NET_WRITE, Kind.PROCESS, Kind.EXEC)


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad(
        "destructive",
        "RULE allows a command that changes things by itself",
        "let it be asked about",
        lambda one: "" if one.witness.kind in GRAVE[: 2 if one.subcommand else None] else "warning",
    )
