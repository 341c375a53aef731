"""The published schemas: as they are made, and every one of our own files fits the one of its kind."""

from __future__ import annotations

import glob
import os
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from guard.lint.schemas import build

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _load(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


@pytest.mark.parametrize("name", build.SCHEMAS)
def test_file_is_unchanged_and_valid(name: str) -> None:
    with open(build.path(name), encoding="utf-8") as file:
        assert file.read() == build.text(name)
    Draft202012Validator.check_schema(build.SCHEMAS[name])


def test_our_files_fit() -> None:
    checks = {name: Draft202012Validator(schema) for name, schema in build.SCHEMAS.items()}
    rules = glob.glob(os.path.join(ROOT, "rules", "commands", "**", "*.yaml"), recursive=True)
    assert len(rules) > 900
    assert {path: error.message for path in rules for error in checks["rule"].iter_errors(_load(path))} == {}
    for path in glob.glob(os.path.join(ROOT, "workflows", "*.yaml")):
        name = os.path.basename(path)
        if name not in ("principles.yaml", "sets.yaml"):
            kind = "board" if name == "board.yaml" else "workflow"
            assert [error.message for error in checks[kind].iter_errors(_load(path))] == []


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("rule", {"options": {"-i": {"efect": "write"}}}),
        ("rule", {"effect": "wirte"}),
        ("board", {"name": "b", "stages": [{"id": "a", "nxt": []}]}),
        ("config", {"lint": {"selct": []}}),
    ],
)
def test_wrong_shapes_are_refused(name: str, data: Any) -> None:
    assert not Draft202012Validator(build.SCHEMAS[name]).is_valid(data)
