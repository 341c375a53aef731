"""From a text to its findings, and from findings to a mended text."""

from __future__ import annotations

from collections.abc import Callable

from guard.lint import suppress
from guard.lint.check import File, Finding
from guard.lint.checks import CHECKS
from guard.lint.foreign import FORMATS
from guard.lint.policy import Policy
from guard.lint.source import Source
from guard.lint.witness import Searcher
from guard.model.diagnostic import Diagnostic, Edit

HOLE = "\0"
"""Stands where text was taken out; no file that is read has it."""

ROUNDS = 100
"""How often fixes are applied one after the other before what is left is left."""


def read(source: Source, form: str) -> Policy:
    """The rule file as its format reads it. Raises KeyError for an unknown format."""
    policy: Policy = FORMATS[form].read(source)
    return policy


def lint(source: Source, form: str, searcher: Searcher) -> list[Diagnostic]:
    """All findings in a file of a format, in the order of their places, without those that comments accept."""
    file = File(read(source, form), searcher)
    found = [
        diagnostic(source, module.CODE, module.NAME, finding.severity or module.SEVERITY, finding)
        for module in CHECKS.values()
        for finding in module.check(file)
    ]
    return suppress.apply(source, sorted(found, key=lambda one: (one.line, one.column, one.code)))


def diagnostic(source: Source, code: str, name: str, severity: str, finding: Finding) -> Diagnostic:
    """A finding with its place in lines and columns."""
    line, column = source.place(finding.start)
    end_line, end_column = source.place(max(finding.end, finding.start))
    return Diagnostic(
        source.path,
        line,
        column,
        code,
        finding.message,
        severity,
        name,
        end_line,
        end_column,
        finding.witness,
        finding.effect,
        finding.help,
        finding.fix,
    )


def mended(
    source: Source, form: str, searcher: Searcher, unsafe: bool, wanted: Callable[[Diagnostic], bool] = lambda _: True
) -> Source:
    """The file with every fix of a wanted finding applied, again and again until none is left."""
    for _ in range(ROUNDS):
        found = [one for one in lint(source, form, searcher) if wanted(one)]
        fixes = [one.fix.edits for one in found if one.fix is not None and (one.fix.safe or unsafe)]
        text = apply(source.text, fixes)
        if text == source.text:
            return source
        source = Source(source.path, text)
    return source


def apply(text: str, fixes: list[tuple[Edit, ...]]) -> str:
    """The text after all fixes that do not overlap with one before them; each fix as a whole or not at all."""
    taken: list[Edit] = []
    for edits in sorted(fixes, key=lambda edits: edits[0].start if edits else 0):
        clear = all(edit.end <= other.start or edit.start >= other.end for edit in edits for other in taken)
        clear &= not any(edit.start == other.start and edit.end == other.end for edit in edits for other in taken)
        if clear:
            taken += edits
    for edit in sorted(taken, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + (edit.text or HOLE) + text[edit.end :]
    return "".join(_filled(line) for line in text.splitlines(True))


def _filled(line: str) -> str:
    """A line without its holes: nothing where nothing else is left, no blanks at its end where a hole was last."""
    if HOLE not in line:
        return line
    body = line.rstrip("\r\n")
    end = line[len(body) :]
    tail = body.rstrip(f" \t{HOLE}")
    if HOLE in body[len(tail) :]:
        body = tail
    body = body.replace(HOLE, "")
    return body + end if body.strip() else ""
