"""Two spellings of prefixes in one file.

Versions that know only `:*` reject a file with ` *` and drop its other rules too.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.foreign.json_file import sample
from guard.lint.policy import Rule
from guard.model.diagnostic import Edit, Fix

CODE = "N220"
NAME = "mixed-spelling"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc *)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    if file.policy.format != "claude":
        return
    old = [rule for rule in file.policy.rules if rule.text.endswith(":*)")]
    new = [rule for rule in file.policy.rules if rule.about == "shell" and rule.text.endswith(" *)")]
    if old and new:
        rule = new[0]
        edits = tuple(
            Edit(one.end - 3, one.end - 1, ":*") for one in new if "*" not in one.body[:-1] and _verbatim(file, one)
        )
        fix = Fix("write `:*` everywhere", edits) if edits else None
        message = f"`{rule.text}` and `{old[0].text}` are two spellings of a prefix: old versions reject the newer one"
        yield Finding(rule.start, rule.end, message, sample(old[0].body), fix=fix)


def _verbatim(file: File, rule: Rule) -> bool:
    return file.policy.source.text[rule.start : rule.end] == rule.text
