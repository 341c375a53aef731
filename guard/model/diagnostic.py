"""What a check found in a file."""

from __future__ import annotations

from guard.model.record import NamedTuple


class Diagnostic(NamedTuple):
    """`line` and `column` count from 1, 0 where they are not known. `severity` is `error` or `warning`."""

    path: str
    line: int
    column: int
    code: str
    message: str
    severity: str = "error"
