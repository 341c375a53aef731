"""A rule for a program that prints what it is told, with redirects let through.

`echo`, `printf`, `cat` and `tee` with `>` write any file.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding

CODE = "B116"
NAME = "redirect"
SEVERITY = "warning"
BAD = Example("codex-rules", 'prefix_rule(pattern=["echo"], decision="allow")\n')
GOOD = Example("codex-rules", 'prefix_rule(pattern=["ls"], decision="allow")\n')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    yield from file.broad(
        "redirect",
        "RULE writes files where a redirect is attached",
        "let it be asked about: writing files has a tool of its own",
    )
