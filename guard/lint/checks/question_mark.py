"""A question mark that is a wildcard.

In this format `?` stands for any one character.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.patterns import Glob

CODE = "B119"
NAME = "question-mark"
SEVERITY = "info"
BAD = Example("opencode", '{"permission": {"bash": {"?cho *": "ask"}}}')
GOOD = Example("opencode", '{"permission": {"bash": {"*": "ask", "ls *": "allow"}}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        if isinstance(rule.pattern, Glob) and rule.pattern.question and "?" in rule.body:
            witness = rule.body.replace("?", "a").replace("*", "x")
            yield Finding(rule.start, rule.end, f"`?` in `{rule.text}` is any one character", witness)
