"""Runs what rules say only reads in a throw-away sandbox, under a witness, and holds the one against the other.

Linux only. It refutes; it never proves. See docs/prove.md.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from guard.classify import targets
from guard.prove import demonstrations, proof, report
from guard.prove.examples import Example
from guard.prove.fixtures import HOME
from guard.prove.runner import CannotRunError, run
from guard.rulebook import Rulebook

__all__ = ["CannotRunError", "prove"]


def prove(book: Rulebook, examples: Sequence[Example], timeout: float) -> dict[str, Any]:
    """Runs all examples in all their states; what came of it as plain values. Raises CannotRunError."""
    known: dict[str, bool] = {}

    def secret(path: str) -> bool:
        if path not in known:
            known[path] = targets.secret(book, path, HOME) is not None
        return known[path]

    began = time.monotonic()
    shown = demonstrations.jobs(timeout)
    jobs = proof.jobs(examples, timeout)
    offset = len(examples)
    results = list(run([*jobs, *(job._replace(number=job.number + offset) for job in shown)], secret))
    of_shown = [one._replace(number=one.number - offset) for one in results if one.number >= offset]
    runs = [proof.judge(examples[one.number], one.state, one) for one in results if one.number < offset]
    runs.sort(key=lambda one: (one.example.where, one.example.command, one.state))
    return report.as_dict(examples, runs, demonstrations.unseen(of_shown), time.monotonic() - began)
