"""Holds what was seen against what was claimed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from guard.model.effect import Kind
from guard.prove.examples import Example
from guard.prove.states import Job, Result, State

OUTCOMES = ("refuted", "not refuted", "ended with an error", "not finished", "not installed", "could not be run")


class Run(NamedTuple):
    """One example in one state. `against` are observations that the claim does not cover, `notes` those of no kind."""

    example: Example
    state: State
    result: Result
    outcome: str
    against: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def jobs(examples: Sequence[Example], timeout: float) -> list[Job]:
    """A job for each example in each of its states; `number` is the example's place in the list."""
    return [
        Job(number, one.command, state, one.files, timeout)
        for number, one in enumerate(examples)
        for state in one.states
    ]


def judge(example: Example, state: State, result: Result) -> Run:
    """What a run says about its example. Caches that are granted by default are covered by any claim."""
    claimed = {kind.value for kind in example.claimed} | {Kind.CACHE.value, Kind.READ.value}
    against = tuple((kind, what) for kind, what in result.seen if kind is not None and kind not in claimed)
    notes = tuple(what for kind, what in result.seen if kind is None)
    if result.fault:
        outcome = "could not be run"
    elif against:
        outcome = "refuted"
    elif result.missing:
        outcome = "not installed"
    elif result.code is None:
        outcome = "not finished"
    else:
        outcome = "not refuted" if result.code in (0, 1) else "ended with an error"
    return Run(example, state, result, outcome, against, notes)


def counts(runs: Iterable[Run]) -> dict[str, int]:
    """How many runs had each outcome."""
    found = dict.fromkeys(OUTCOMES, 0)
    for run in runs:
        found[run.outcome] += 1
    return found
