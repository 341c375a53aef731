"""The errors a person can meet. Caught only in `cli`, `hooks.main` and `mcp`.

GuardError
  RuleError       a rule, workflow or configuration file is wrong: `file:line:column: what: expected (got)`
  UsageError      the command line or the input is wrong
  StoreError      saved state exists and cannot be used: names the file and the command that repairs it
  RefusedError    an operation is not possible as things are: a stable `code` and what to do next
  ConflictError   somebody else changed the same thing first: look again and retry
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


class StoreError(GuardError):
    """Saved state that exists and cannot be used. `repair` is the command that mends it."""

    def __init__(self, path: str, message: str, repair: str) -> None:
        super().__init__(f"{path}: {message}: run `{repair}`")
        self.path = path
        self.message = message
        self.repair = repair


class RefusedError(GuardError):
    """An operation that is not possible as things are. `code` is stable; the message says what to do next."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ConflictError(RefusedError):
    """Somebody else changed the same thing first; nothing was done."""
