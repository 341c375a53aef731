"""A mode in which ask rules do not ask.

In this mode the ask list yields no question.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.foreign.json_file import sample

CODE = "R406"
NAME = "mode-voids-ask"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"ask": ["Read(.env)"], "defaultMode": "auto"}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    mode, start, end = file.policy.mode
    asks = [rule for rule in file.policy.rules if rule.decision == "ask"]
    if mode in ("auto", "acceptEdits") and asks and (mode == "auto" or all(rule.about == "write" for rule in asks)):
        message = f"in mode {mode} the ask rules yield no question: `{asks[0].text}`"
        yield Finding(
            start,
            end,
            message,
            f"(read of {asks[0].body})" if asks[0].about == "read" else sample(asks[0].body),
            help="deny what must not happen",
        )
