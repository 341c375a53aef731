"""The page of faults is what real processes do: the quick faults, for one runtime of every form of an answer.

`python tests/bench/faults.py` does all of it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from guard.setup.reading import REFUSED, effect
from tests.bench.faults import FAULTS, HEAD, TAIL, Machine

PAGE = (Path(__file__).parents[2] / "docs" / "hook-faults.md").read_text()
ROWS = {line.split(" | ")[0].strip("| "): line.strip("| \n").split(" | ")[1:] for line in PAGE.splitlines()[9:]}
QUICK = ("invalid JSON", "empty input", "deep nesting", "no rules", "corrupt store", "closed stdout")
FORMS = ("claude", "codex", "copilot", "cursor", "windsurf", "vibe", "cline", "hermes")


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A state folder and a program without rules."""
    return Machine(tmp_path_factory.mktemp("faults"))


def test_the_page_has_every_fault_and_the_words_around_the_table() -> None:
    assert PAGE.startswith(HEAD)
    assert PAGE.endswith(TAIL)
    assert "| runtime | " + " | ".join(FAULTS) + " |\n" in PAGE


@pytest.mark.parametrize("agent", FORMS)
@pytest.mark.parametrize("fault", QUICK)
def test_a_cell_is_what_a_process_does(fault: str, agent: str, machine: Machine) -> None:
    answer = FAULTS[fault](machine, agent)
    found = "veto" if effect(agent, *answer) == REFUSED else "RUNS"
    assert ROWS[agent][list(FAULTS).index(fault)] == found
