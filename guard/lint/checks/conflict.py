"""A deny inside of a wide allow.

Deny should win. Some versions let the wide allow win, so do not rest on it for secrets.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "R403"
NAME = "conflict"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Read(**)"], "deny": ["Read(**/.secrets*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Read(src/**)"], "deny": ["Read(//etc/shadow)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    wide = {
        rule.tool: rule
        for rule in file.policy.rules
        if rule.decision == "allow" and rule.about in ("read", "write") and rule.body in ("", "*", "**", "/**", "./**")
    }
    for rule in file.policy.rules:
        allow = wide.get(rule.tool)
        if rule.decision == "deny" and allow is not None and rule.body:
            message = f"`{allow.text}` allows what `{rule.text}` denies: some versions let the wide allow win"
            yield Finding(
                rule.start,
                rule.end,
                message,
                f"(read of {rule.body.replace('**/', '~/').replace('*', '')})",
                help="narrow the allow rule",
            )
