"""A deny rule that another order of flags avoids.

`-fr`, `-r -f` and long options are the same act; a prefix knows one of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.deny import missed

CODE = "D301"
NAME = "flag-order"
SEVERITY = "warning"
BAD = Example("claude", '{"permissions": {"deny": ["Bash(rm -rf:*)"]}}')
GOOD = Example("claude", '{"permissions": {"deny": ["WebFetch"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    for one in file.evasions:
        if one.kind == "flag-order":
            yield missed(
                file, one, "other flags, the same act", "deny the program as a whole, or use a guard that reads options"
            )
