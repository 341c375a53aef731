"""Compiling rule files: one on demand, or all of a folder ahead of time."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from typing import Any

from guard.rulebook import compile as compiler
from guard.rulebook import schema
from guard.rulebook.load import compiled_path, stamps
from guard.rulebook.yaml_source import Value, read_file

DATA = ("environment", "protected", "secrets", "tools")
"""Data files beside the commands."""


def sources(folder: str) -> list[str]:
    """All rule files of a folder, relative to its `commands`, sorted: `sed.yaml`, `git/log.yaml`."""
    root = os.path.join(folder, "commands")
    found = []
    for base, folders, files in os.walk(root):
        folders.sort()
        found += [os.path.relpath(os.path.join(base, name), root) for name in files if name.endswith(".yaml")]
    return sorted(found)


def row(folder: str, name: str, source: str) -> Any:
    """The compiled row of one name, made from its source; None if the source does not define it. Raises RuleError."""
    if name.startswith("../"):
        return _save(folder, name, [source], plain_data(read(folder, source)))
    return compile_file(folder, source).get(name)


def build(folder: str) -> int:
    """Compiles every rule and data file of a folder; the number of names. Raises RuleError at the first bad one."""
    count = 0
    for path in sources(folder):
        count += len(compile_file(folder, path))
    for name in DATA:
        if os.path.exists(os.path.join(folder, f"{name}.yaml")):
            row(folder, f"../{name}", f"../{name}.yaml")
    return count


def read(folder: str, path: str) -> Value:
    """One source, its errors named by the short path `rules/commands/…`."""
    shown = os.path.normpath(os.path.join("rules", "commands", path))
    return read_file(os.path.join(folder, "commands", path), shown)


def compile_file(folder: str, path: str) -> dict[str, Any]:
    """Compiles one source and saves what came of it: rows by name, aliases as the name they stand for."""
    value = read(folder, path)
    stem = path.removesuffix(".yaml")
    if os.sep in stem:
        program, name = stem.split(os.sep, 1)
        parent = read(folder, f"{program}.yaml").mapping("rule")
        groups = parent["groups"].mapping("groups") if "groups" in parent else {}
        syntax = parent["syntax"].text("syntax") if "syntax" in parent else "gnu"
        made_from = [path, f"{program}.yaml"]
        rows: dict[str, Any] = {f"{program}/{name}": compiler.part(value, name, syntax, groups)}
    else:
        made_from = [path]
        compiled, aliases = compiler.top(value, stem)
        rows = {compiled[0]: compiled, **dict.fromkeys(aliases, compiled[0])}
    for name, content in rows.items():
        _save(folder, name, made_from, content)
    return rows


def plain_data(value: Value) -> Any:
    """Data without places."""
    data = value.data
    if isinstance(data, dict):
        return {key: plain_data(inner) for key, inner in data.items()}
    if isinstance(data, list):
        return [plain_data(inner) for inner in data]
    return data


def _save(folder: str, name: str, made_from: list[str], content: Any) -> Any:
    """Writes a compiled file whole or not at all; a folder that cannot be written costs time, nothing else."""
    body = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    head = "\t".join([str(schema.VERSION), *stamps(folder, made_from)]) + "\n"
    target = compiled_path(folder, name)
    with suppress(OSError):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target))
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(head + body)
            os.chmod(temporary, 0o644)
            os.replace(temporary, target)
        except OSError:
            os.unlink(temporary)
            raise
    return json.loads(body)
