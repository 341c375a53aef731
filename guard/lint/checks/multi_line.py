"""A rule of several lines.

A whole script or here-document stored as a rule: it matches once, and characters of it can be read as wildcards.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.model.diagnostic import Fix

CODE = "J502"
NAME = "multi-line"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(cat >> log.md << \'EOF\'\\n- done\\nEOF)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        if "\n" in rule.text and rule.about == "shell":
            fix = Fix("remove the rule", rule.cut, False) if rule.cut else None
            yield Finding(
                rule.start,
                rule.end,
                "a whole script is stored as one rule",
                rule.body.split("\n")[0].split("<<")[0].strip(),
                fix=fix,
            )
