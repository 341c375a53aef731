"""One try at a sandbox for all tests that need one."""

from __future__ import annotations

import pytest

from guard.prove.runner import CannotRunError, run
from guard.prove.states import PLAIN, Job


@pytest.fixture(scope="session")
def sandbox() -> None:
    """Skips where this machine has no namespaces, overlays or strace."""
    try:
        results = list(run([Job(0, "true", PLAIN[0], (), 10.0)], lambda path: False))
    except CannotRunError as error:
        pytest.skip(str(error))
    assert [(result.code, result.fault) for result in results] == [(0, "")]
