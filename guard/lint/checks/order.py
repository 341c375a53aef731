"""A rule that a later one overrides.

Where the last rule that matches decides, a wide rule behind a narrow one makes the narrow one dead; where deny and ask
go first, whatever the order, a wide one of them makes a narrow allow dead (a warning: nothing runs that should not).
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.foreign.json_file import sample
from guard.lint.relations import ORDERED

CODE = "R408"
NAME = "order"
SEVERITY = "error"
BAD = Example("opencode", '{"permission": {"bash": {"git checkout *": "deny", "*": "ask"}}}')
GOOD = Example("opencode", '{"permission": {"bash": {"*": "ask", "ls *": "allow"}}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    if file.policy.format == "gemini-policy":
        return
    ordered = file.policy.format in ORDERED
    for rule, decider in file.overridden:
        where = file.policy.source.place(decider.start)[0]
        message = f"`{decider.text}` ({decider.decision}) in line {where} decides before this {rule.decision}"
        yield Finding(
            rule.start,
            rule.end,
            message,
            sample(rule.body),
            help="the order of the rules decides: put the wide one where it is asked last" if ordered else "",
            severity="" if ordered else "warning",
        )
