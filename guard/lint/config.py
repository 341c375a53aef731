"""What the linter is told by `pyproject.toml` (`[tool.devkit-guard.lint]`) or `.devkit-guard.toml` (`[lint]`).

select = ["B", "N"]            # codes, starts of codes, or names; default: all
ignore = ["J504"]
exclude = ["vendor/**"]        # globs of paths
[lint.per-file-ignores]
".claude/settings.local.json" = ["B112 the scripts are mine"]     # code, then the reason
"""

from __future__ import annotations

import os
import tomllib
from fnmatch import fnmatch
from typing import Any

from guard.lint.suppress import named
from guard.model.diagnostic import Diagnostic
from guard.model.errors import RuleError
from guard.model.record import NamedTuple

KEYS = ("select", "ignore", "exclude", "per-file-ignores")


class Config(NamedTuple):
    """`per_file` are (glob, codes) pairs; `root` is the folder of the file, from which globs count."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    per_file: tuple[tuple[str, tuple[str, ...]], ...] = ()
    root: str = ""

    def wants(self, one: Diagnostic) -> bool:
        """Whether a finding is to be shown."""
        if self.select and not any(named(one, code) for code in self.select):
            return False
        if any(named(one, code) for code in self.ignore):
            return False
        path = self.relative(one.path)
        return not any(fnmatch(path, glob) and any(named(one, code) for code in codes) for glob, codes in self.per_file)

    def excludes(self, path: str) -> bool:
        """Whether a file is not to be looked at."""
        return any(fnmatch(self.relative(path), glob) for glob in self.exclude)

    def relative(self, path: str) -> str:
        """A path as the globs see it."""
        whole = os.path.abspath(path)
        return os.path.relpath(whole, self.root) if self.root and whole.startswith(self.root + os.sep) else path


def find(folder: str) -> Config:
    """The configuration of the nearest file at or above a folder; the defaults where there is none."""
    here = os.path.abspath(folder)
    while True:
        for name, keys in ((".devkit-guard.toml", ("lint",)), ("pyproject.toml", ("tool", "devkit-guard", "lint"))):
            path = os.path.join(here, name)
            if os.path.isfile(path):
                table = _table(path, keys)
                if table is not None:
                    return _config(table, path, here)
        above = os.path.dirname(here)
        if above == here:
            return Config()
        here = above


def _table(path: str, keys: tuple[str, ...]) -> dict[str, Any] | None:
    try:
        with open(path, "rb") as file:
            found: Any = tomllib.load(file)
    except (OSError, ValueError) as error:
        raise RuleError(path, 0, 0, f"cannot be read: {error}") from error
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None


def _config(table: dict[str, Any], path: str, root: str) -> Config:
    for key in table:
        if key not in KEYS:
            raise RuleError(path, 0, 0, f"lint: unknown key '{key}': expected one of {', '.join(KEYS)}")
    per_file = []
    entries = table.get("per-file-ignores", {})
    if not isinstance(entries, dict):
        raise RuleError(path, 0, 0, "per-file-ignores: expected a table")
    for glob, lines in entries.items():
        codes = []
        for line in _texts(lines, path, f"per-file-ignores.{glob}"):
            code, _, reason = line.partition(" ")
            if not reason.strip():
                raise RuleError(path, 0, 0, f"per-file-ignores: '{line}' needs a reason behind the code")
            codes.append(code)
        per_file.append((glob, tuple(codes)))
    select, ignore, exclude = (_texts(table.get(key, []), path, key) for key in ("select", "ignore", "exclude"))
    return Config(select, ignore, exclude, tuple(per_file), root)


def _texts(value: Any, path: str, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise RuleError(path, 0, 0, f"{key}: expected a list of texts")
    return tuple(value)
