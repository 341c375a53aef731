"""A deny rule that a path or wrapper in front avoids.

`/bin/rm`, `env rm` and a subshell are other texts for the same program.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.deny import missed

CODE = "D303"
NAME = "wrapper-evasion"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"deny": ["Bash(rm:*)"]}}')
GOOD = Example("claude", '{"permissions": {"deny": ["WebFetch"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for one in file.evasions:
        if one.kind == "wrapper":
            yield missed(
                file,
                one,
                "a path or a wrapper in front avoids the rule",
                "allow what is safe and let the rest be asked about; a list of bad commands does not end",
            )
