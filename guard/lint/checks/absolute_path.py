"""A rule for one spelling of a program's path.

Words are compared as written: the plain name, which people and agents type, does not match.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.patterns import Words

CODE = "N218"
NAME = "absolute-path"
SEVERITY = "info"
BAD = Example("codex-rules", 'prefix_rule(pattern=["/usr/bin/git", "status"], decision="prompt")\n')
GOOD = Example("codex-rules", 'prefix_rule(pattern=["git", "status"], decision="prompt")\n')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for rule in file.policy.rules:
        if file.policy.format == "codex-rules" and rule.body.startswith("/") and isinstance(rule.pattern, Words):
            words = rule.body.split()
            plain = " ".join([words[0].rsplit("/", 1)[-1], *words[1:]])
            yield Finding(
                rule.start, rule.end, f"`{plain}` does not match: the first word is compared as written", plain
            )
