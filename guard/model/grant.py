"""What a call may do: effects, and exceptions to them."""

from __future__ import annotations

from guard.model.effect import Kind
from guard.model.record import NamedTuple

READ_ONLY = frozenset({Kind.READ, Kind.CACHE})


class Grant(NamedTuple):
    """`effects` are allowed in the shell. `run` are argv patterns that are allowed whatever they do (`pytest *`: each
    word is matched as a whole, a trailing `*` stands for any further words). `write` are globs of paths, relative to
    the repository's root, that file tools and redirects may write. `tools` are further tools by exact name.
    `subagents` is `same`, `free` or `none`. `opaque` is never granted.
    """

    effects: frozenset[Kind] = READ_ONLY
    run: tuple[tuple[str, ...], ...] = ()
    write: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    subagents: str = "same"


class Step(NamedTuple):
    """An open step that binds a caller: a workflow's step, or the stage of a card that the caller holds.

    `number` counts from 1. `hard` vetoes, otherwise the step only reminds. `engine_runs` marks a command step, during
    which only the workflow's own tools may be called. `delegate`: the call comes from a sub-agent of the step's owner,
    so `grant.subagents` applies to it. `note` is a sentence to add to a veto (a budget that is reached, an idle session
    and how to end it), empty where there is none.
    """

    session: str
    workflow: str
    step: str
    number: int
    total: int
    hard: bool
    grant: Grant
    engine_runs: bool = False
    repository: str | None = None
    delegate: bool = False
    note: str = ""
