"""A prefix that does not end at a word.

`ls*` is `lsof` too, and `git diff` as plain text is `git difftool`.
Put a blank or `:*` where the word ends. It is an error where what else passes runs code that it is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.model.diagnostic import Edit, Fix
from guard.model.effect import Kind

CODE = "B108"
NAME = "no-boundary"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(ls*)"]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for one in file.broad(
        "no-boundary",
        "RULE does not end at a word, so other names that begin like it pass",
        "end the prefix at a word",
        lambda one: "error" if one.witness.kind is Kind.EXEC else "",
    ):
        yield one._replace(fix=_with_blank(file, one) or one.fix)


def _with_blank(file: File, one: Finding) -> Fix | None:
    """`Bash(ls*)` → `Bash(ls *)`, where the rule is written like that."""
    text = file.policy.source.text[one.start : one.end]
    if file.policy.format in ("claude", "qwen-settings") and text.endswith("*)") and text[-3:-2].isalnum():
        return Fix("put a blank before the star", (Edit(one.end - 2, one.end - 2, " "),), False)
    return None
