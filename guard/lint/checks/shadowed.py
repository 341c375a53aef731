"""A rule that a wider one covers.

The wider rule decides the same for all that this one matches: removing it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.patterns import leads
from guard.lint.relations import same
from guard.model.diagnostic import Fix

CODE = "R401"
NAME = "shadowed"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(ls src:*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule, wider in file.covered:
        if rule.decision == wider.decision and not same(rule, wider):
            where = file.policy.source.place(wider.start)[0]
            message = f"`{rule.text}` is covered by `{wider.text}` in line {where}"
            fix = Fix("remove the narrower rule", rule.cut) if rule.cut else None
            yield Finding(rule.start, rule.end, message, leads(rule.pattern)[0].strip() or "ls", fix=fix)
