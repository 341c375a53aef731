"""A deny under another category than the allow.

Rules of different categories are not compared with each other: the allow decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.foreign.json_file import sample
from guard.lint.policy import passes

CODE = "R404"
NAME = "cross-category"
SEVERITY = "warning"
BAD = Example("opencode", '{"permission": {"*": {"rm *": "deny"}, "bash": {"rm *": "allow"}}}')
GOOD = Example("opencode", '{"permission": {"bash": {"*": "ask", "ls *": "allow"}}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    allows = [rule for rule in file.policy.rules if rule.decision == "allow" and rule.about == "shell"]
    for rule in file.policy.rules:
        if rule.decision != "allow" and rule.tool == "*" and rule.body not in ("", "*"):
            command = sample(rule.body) + " a"
            allow = next((one for one in allows if passes(one, command, file.policy.matching)), None)
            if allow is not None:
                message = f"`{rule.text}` stands under `*` and is not compared with `{allow.text}`, which allows it"
                yield Finding(rule.start, rule.end, message, command, help="put it under the same category")
