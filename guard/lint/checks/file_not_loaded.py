"""A policy file that is named where it is not read.

The tool reads its policies from folders of its own; a path listed in settings may not be read at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N215"
NAME = "file-not-loaded"
SEVERITY = "error"
BAD = Example("gemini-settings", '{"policyPaths": [".gemini/policies/tools.toml"]}')
GOOD = Example("gemini-settings", '{"tools": {"exclude": ["web_fetch"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("file-not-loaded", "put the file into the policies folder and drop the entry", "")
