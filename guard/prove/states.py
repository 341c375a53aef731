"""What a command is run on: the user, and the state of the repository it stands in."""

from __future__ import annotations

from typing import Any, NamedTuple


class State(NamedTuple):
    """`stat` of the index is `fresh` or `stale`, `tree` is `clean` or `dirty`; both empty without a repository."""

    stat: str
    tree: str
    uid: int

    @property
    def name(self) -> str:
        """For reports: `fresh-clean-0`, `none-1000`."""
        return f"{self.stat}-{self.tree}-{self.uid}" if self.stat else f"none-{self.uid}"


UIDS = (1000, 0)
REPOSITORY = tuple(State(stat, tree, uid) for uid in UIDS for stat in ("fresh", "stale") for tree in ("clean", "dirty"))
NOWHERE = tuple(State("", "", uid) for uid in UIDS)
ALL = (*REPOSITORY, *NOWHERE)
PLAIN = tuple(state for state in ALL if (state.stat, state.tree) == ("stale", "dirty"))
"""For commands that have nothing to do with a repository."""


class Job(NamedTuple):
    """One run: a command in a state, with the files that have to be there (relative to the project).

    `keep` is how many bytes of what it prints are handed on; 0: the end of the beginning, where messages are.
    """

    number: int
    command: str
    state: State
    files: tuple[str, ...]
    timeout: float
    keep: int = 0


class Result(NamedTuple):
    """`code` is the shell's exit code, None where it was ended. `seen` are (kind or None, what) pairs.

    `missing` names programs that the shell did not find; `fault` says why the sandbox could not run the command.
    """

    number: int
    state: State
    code: int | None = None
    seconds: float = 0.0
    seen: tuple[tuple[str | None, str], ...] = ()
    missing: tuple[str, ...] = ()
    said: str = ""
    fault: str = ""


def result_of(row: list[Any]) -> Result:
    """A Result that was written as JSON."""
    number, state, code, seconds, seen, missing, *rest = row
    return Result(
        number, State(*state), code, seconds, tuple((kind, what) for kind, what in seen), tuple(missing), *rest
    )
