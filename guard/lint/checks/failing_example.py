"""An example that contradicts its rule.

The tool refuses the file, or the rule is not what was meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N217"
NAME = "failing-example"
SEVERITY = "error"
BAD = Example("codex-rules", 'prefix_rule(pattern=["git", "status"], decision="prompt", match=["git log"])\n')
GOOD = Example("codex-rules", 'prefix_rule(pattern=["git", "status"], decision="prompt", match=["git status"])\n')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("failing-example", "", "")
