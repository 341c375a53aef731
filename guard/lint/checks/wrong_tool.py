"""A path rule for a tool whose paths are never compared.

Only `Edit(path)` holds for tools that write and `Read(path)` for tools that read.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "N209"
NAME = "wrong-tool"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"deny": ["Write(docs/**)"]}}')
GOOD = Example("claude", '{"permissions": {"deny": ["Edit(docs/**)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.marked("wrong-tool", "", "name the tool that is consulted")
