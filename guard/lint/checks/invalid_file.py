"""A file that the tool cannot read.

Tools ignore such a file as a whole, with its deny rules, and often say nothing: the witness is a command that one of
them was meant to stop.
"""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.check import Example, File, Finding
from guard.lint.evasions import stopped

CODE = "N200"
NAME = "invalid-file"
SEVERITY = "error"
BAD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)",]}}')
GOOD = Example("claude", '{"permissions": {"allow": ["Bash(ls:*)", "Bash(wc:*)"]}}')


def check(file: File) -> Iterator[Finding]:
    """Findings of this check."""
    found = file.marked(
        "invalid-file", "the tool leaves the file out as a whole, its deny rules too", "take the comma out"
    )
    yield from (one._replace(witness=one.witness or stopped(file.policy, file.searcher)) for one in found)
