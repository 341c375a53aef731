"""The generated page, and that the table of runtimes leaves nobody out."""

from __future__ import annotations

from pathlib import Path

from guard.hooks.runtimes import NAMES
from guard.setup.page import page
from guard.setup.runtimes import RUNTIMES
from guard.setup.tried import TRIED

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_what_the_table_says() -> None:
    assert (DOCS / "runtimes.md").read_text() == page(), "run: python -m guard.setup.page > docs/runtimes.md"


def test_every_adapter_is_in_the_tables() -> None:
    assert tuple(runtime.name for runtime in RUNTIMES) == tuple(TRIED) == NAMES
    faults = (DOCS / "hook-faults.md").read_text()
    assert all(f"\n| {name} |" in faults for name in NAMES)
