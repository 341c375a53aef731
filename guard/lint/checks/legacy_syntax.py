"""An old spelling.

The form belongs to versions that match less exactly than today's.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N216"
NAME = "legacy-syntax"
SEVERITY = "warning"
BAD = Example("gemini-settings", '{"coreTools": ["ShellTool(echo)"]}')
GOOD = Example("gemini-settings", '{"tools": {"exclude": ["web_fetch"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("legacy-syntax", "write a policy file instead", "")
