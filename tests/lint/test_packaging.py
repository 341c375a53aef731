"""What other tools read of us: the pre-commit hook, the GitHub Action, and that both name what there is."""

from __future__ import annotations

import os
import re
from typing import Any

import yaml

from guard.lint.foreign import FORMATS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _load(name: str) -> Any:
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return yaml.safe_load(file)


def test_the_hook_sees_the_project_files_of_every_format() -> None:
    (hook,) = _load(".pre-commit-hooks.yaml")
    files = re.compile(hook["files"])
    for name, module in FORMATS.items():
        for path in module.PROJECT:
            shown = path.replace("*", "x")
            assert files.search(shown), (name, shown)
    assert not files.search("src/settings.json")


def test_the_action_passes_its_inputs_by_environment() -> None:
    action = _load("action.yml")
    lint = action["runs"]["steps"][-1]
    assert set(action["inputs"]) == {"paths", "select", "ignore", "sarif", "python-version"}
    assert "${{" not in lint["run"]
    assert set(lint["env"]) == {"PATHS", "SELECT", "IGNORE", "SARIF"}
