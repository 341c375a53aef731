"""A piece of a command line stored as a rule.

`2` of `2>/dev/null`, `do`, `done`, `fi`: left over from a prompt that was answered, and no command.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.programs import FRAGMENTS
from guard.model.diagnostic import Fix

CODE = "J501"
NAME = "fragment"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(2)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        text = rule.body.removesuffix(":*").strip()
        if rule.about == "shell" and rule.decision == "allow" and (text.isdigit() or text.split(" ")[0] in FRAGMENTS):
            fix = Fix("remove the rule", rule.cut) if rule.cut else None
            yield Finding(
                rule.start, rule.end, f"`{rule.text}` is a piece of a command line, not a command", text, fix=fix
            )
