"""A path pattern that some versions do not match.

`~/**`, `//**` and `**/folder/*` were read as empty or not at all by versions that are still in use.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N208"
NAME = "path-glob"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"deny": ["Read(~/**)"]}}')
GOOD = Example("claude", '{"permissions": {"deny": ["Read(~/private/**)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("path-glob", "", "use the form that all versions match")
