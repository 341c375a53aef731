"""A regular expression that cannot be compiled.

The rule matches nothing, or the tool stops.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.patterns import Regex, compiled_regex

CODE = "N221"
NAME = "invalid-regex"
SEVERITY = "error"
BAD = Example("vscode", '{"chat.tools.terminal.autoApprove": {"/git (/": false}}')
GOOD = Example("vscode", '{"chat.tools.terminal.autoApprove": {"ls": true}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        if isinstance(rule.pattern, Regex) and compiled_regex(rule.pattern) is None:
            yield Finding(rule.start, rule.end, f"`{rule.text}` is not a valid regular expression")
