"""Two spellings of one rule.

Both match the same commands.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.patterns import leads
from guard.lint.relations import same
from guard.model.diagnostic import Fix

CODE = "R402"
NAME = "duplicate"
SEVERITY = "info"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(ls *)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule, first in file.covered:
        if rule.decision == first.decision and same(rule, first):
            where = file.policy.source.place(first.start)[0]
            fix = Fix("remove the second", rule.cut, rule.group == first.group) if rule.cut else None
            yield Finding(
                rule.start,
                rule.end,
                f"`{rule.text}` says the same as `{first.text}` in line {where}",
                leads(rule.pattern)[0].strip() or "ls",
                fix=fix,
            )
