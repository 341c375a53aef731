"""A pattern over several commands where each command is matched alone.

The tool takes a line apart at `|`, `;` and `&&` before it matches: a rule with such an operator in it never matches.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.patterns import Exact, Glob, Prefix
from guard.lint.pieces import shape_of
from guard.model.diagnostic import Fix

CODE = "N223"
NAME = "operator-in-rule"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"deny": ["Bash(curl * | sh)"]}}')
GOOD = Example("claude", '{"permissions": {"deny": ["WebFetch"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        if not file.policy.matching.parts or not isinstance(rule.pattern, (Exact, Glob, Prefix)) or "\n" in rule.text:
            continue
        command = rule.pattern.text.replace("*", "x").strip()
        if any(char in command for char in "|;&") and shape_of(command).commands > 1:
            fix = (
                Fix("remove the rule", rule.cut, rule.decision == "allow" and not file.policy.older)
                if rule.cut
                else None
            )
            message = f"`{rule.text}` never matches: the commands of a line are matched one by one"
            severity = "warning" if rule.decision == "allow" else ""
            yield Finding(rule.start, rule.end, message, command, fix=fix, severity=severity)
