"""What a check found in a file."""

from __future__ import annotations

from guard.model.record import NamedTuple


class Edit(NamedTuple):
    """Replaces the characters `start` to `end` (offsets in the file's text) with `text`."""

    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """How a finding is mended. `safe`: what the rule file means stays the same, or what it never did goes away."""

    message: str
    edits: tuple[Edit, ...]
    safe: bool = True


class Diagnostic(NamedTuple):
    """`line` and `column` count from 1, 0 where they are not known; the end is exclusive. `severity` is `error`,
    `warning` or `info`. `witness` is a command that shows the fault, `effect` what it would do.
    """

    path: str
    line: int
    column: int
    code: str
    message: str
    severity: str = "error"
    name: str = ""
    end_line: int = 0
    end_column: int = 0
    witness: str = ""
    effect: str = ""
    help: str = ""
    fix: Fix | None = None
