"""A long literal command stored as a rule.

It was allowed once and will hardly be typed again; lists of such rules hide the ones that matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.patterns import Exact
from guard.model.diagnostic import Fix

CODE = "J504"
NAME = "one-off"
SEVERITY = "info"
BAD = Example(
    "claude",
    '{"permissions": {"allow": ["Bash(grep -rn \'class Foo\' src/a/b/c/d.py src/a/b/c/e.py '
    'src/a/b/c/f.py src/a/b/c/g.py src/h.py)"]}}',
)
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        if (
            rule.about == "shell"
            and rule.decision == "allow"
            and isinstance(rule.pattern, Exact)
            and "\n" not in rule.text
        ) and (len(rule.body) > 80 or len(rule.body.split()) > 12):
            fix = Fix("remove the rule", rule.cut, False) if rule.cut else None
            yield Finding(rule.start, rule.end, "one long command, allowed once", fix=fix)
