"""A rule that a later one overrides.

The last rule that matches decides: a wide rule behind a narrow one makes the narrow one dead.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.foreign.json_file import sample

CODE = "R408"
NAME = "order"
SEVERITY = "error"
BAD = Example("opencode", '{"permission": {"bash": {"git checkout *": "deny", "*": "ask"}}}')
GOOD = Example("opencode", '{"permission": {"bash": {"*": "ask", "ls *": "allow"}}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    if file.policy.format == "gemini-policy":
        return
    for rule, decider in file.overridden:
        where = file.policy.source.place(decider.start)[0]
        message = f"`{decider.text}` ({decider.decision}) in line {where} decides before this {rule.decision}"
        yield Finding(
            rule.start,
            rule.end,
            message,
            sample(rule.body),
            help="the order of the rules decides: put the wide one where it is asked last",
        )
