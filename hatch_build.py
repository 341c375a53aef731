"""Build hook: compiles the rules, and puts `rules/`, `workflows/` and the witness's record into the wheel as data."""

from __future__ import annotations

import os
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DataHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs for wheels and editable installs; an editable install reads the folders where they stand."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles ahead of time so that the first hook call need not; adds the data to a real wheel."""
        sys.path.insert(0, self.root)
        from guard.rulebook.build import build

        build(os.path.join(self.root, "rules"))
        if version == "standard":
            for name in ("rules", "workflows"):
                build_data["force_include"][os.path.join(self.root, name)] = f"guard/data/{name}"
            witness = os.path.join("corpus", "witness.json")
            build_data["force_include"][os.path.join(self.root, witness)] = f"guard/data/{witness}"
