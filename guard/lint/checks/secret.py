"""A secret inside of a rule.

Rule files are committed and shared. Take the secret out, and replace it where it was used.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.secrets import found_in
from guard.model.diagnostic import Fix

CODE = "J503"
NAME = "secret"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(curl -u user:pass https://x.example)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        what = found_in(rule.text)
        if what:
            fix = Fix("remove the rule", rule.cut, False) if rule.cut else None
            yield Finding(
                rule.start,
                rule.end,
                f"the rule holds {what}",
                "(secret stays in the file)",
                help="revoke it: it is in the history",
                fix=fix,
            )
