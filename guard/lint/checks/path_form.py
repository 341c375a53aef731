"""A path that means another place.

In path rules `/etc/x` is relative to the settings file; absolute paths start with `//`.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N207"
NAME = "path-form"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"deny": ["Read(/etc/shadow)"]}}')
GOOD = Example("claude", '{"permissions": {"deny": ["Read(//etc/shadow)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("path-form", "", "start the path with two slashes")
