"""A rule that a wider one covers.

The wider rule decides the same for all that this one matches: removing it changes nothing. Where the wider one lets too
much through, it is the one to remove.
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
    too_broad = {one.rule.start for one in file.grantees}
    for rule, wider in file.covered:
        if rule.decision == wider.decision and not same(rule, wider):
            where = file.policy.source.place(wider.start)[0]
            message = f"`{rule.text}` is covered by `{wider.text}` in line {where}"
            stays = rule.cut and wider.start not in too_broad
            fix = Fix("remove the narrower rule", rule.cut, rule.group == wider.group) if stays else None
            yield Finding(rule.start, rule.end, message, leads(rule.pattern)[0].strip() or "ls", fix=fix)
