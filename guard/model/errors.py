"""The errors a person can meet. Caught only in `cli`, `hooks.main` and `mcp`.

GuardError
  RuleError       a rule, workflow or configuration file is wrong: `file:line:column: what: expected (got)`
  UsageError      the command line or the input is wrong
"""

from __future__ import annotations


class GuardError(Exception):
    """Base of all errors that are meant for a person; `str()` of it is one line that says what to do."""


class UsageError(GuardError):
    """Wrong options or input; exit code 2 where a person called."""


class RuleError(GuardError):
    """A data file is wrong. `line` and `column` count from 1; 0 where they are not known."""

    def __init__(self, path: str, line: int, column: int, message: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {message}")
        self.path = path
        self.line = line
        self.column = column
        self.message = message
