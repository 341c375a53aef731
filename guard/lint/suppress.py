"""Comments that say why a finding is accepted.

    // devkit-guard: ignore[B107] the machine is thrown away     on the line of the finding, or alone on the line before
    # devkit-guard: ignore-file[B107, J505] generated file       anywhere: for the whole file

A code may be a check's code, its name or the start of a code (`B`, `B1`). Without a reason a comment does not count.
"""

from __future__ import annotations

import re

from guard.lint.source import Source
from guard.model.diagnostic import Diagnostic
from guard.model.record import NamedTuple

_COMMENT = re.compile(
    r"(?://|#)\s*devkit-guard:\s*ignore(?P<file>-file)?\[(?P<codes>[^\]\n]*)\][ \t]*(?P<reason>[^\n]*)"
)


class Suppression(NamedTuple):
    """`line` is 0 for the whole file."""

    line: int
    codes: tuple[str, ...]
    reason: str
    start: int
    end: int


def suppressions(source: Source) -> list[Suppression]:
    """All such comments of a file."""
    found = []
    for match in _COMMENT.finditer(source.text) if "devkit-guard: ignore" in source.text else ():
        line, column = source.place(match.start())
        alone = source.text[match.start() - column + 1 : match.start()].strip() == ""
        at = 0 if match["file"] else line + 1 if alone else line
        codes = tuple(code.strip() for code in match["codes"].split(",") if code.strip())
        found.append(Suppression(at, codes, match["reason"].strip(), *match.span()))
    return found


def named(diagnostic: Diagnostic, code: str) -> bool:
    """Whether a code of a comment, an option or the configuration names this finding."""
    return bool(code) and (code in (diagnostic.name, "ALL") or diagnostic.code.startswith(code))


def apply(source: Source, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings that no comment accepts, and one for each comment that gives no reason."""
    comments = suppressions(source)
    if not comments:
        return found
    left = []
    for one in found:
        lines = range(one.line, max(one.line, one.end_line) + 1)
        accepted = any(
            comment.reason
            and (comment.line == 0 or comment.line in lines)
            and any(named(one, code) for code in comment.codes)
            for comment in comments
        )
        if not accepted:
            left.append(one)
    for comment in comments:
        if not comment.reason:
            line, column = source.place(comment.start)
            message = "a comment that accepts findings needs a reason behind the bracket"
            left.append(Diagnostic(source.path, line, column, "S001", message, "error", "no-reason"))
    return left
