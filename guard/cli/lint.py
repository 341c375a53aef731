"""`devkit-guard lint`: findings in rule files, in the form asked for."""

from __future__ import annotations

import os
import sys

from guard import report
from guard.lint import rules
from guard.model.errors import UsageError
from guard.rulebook import build
from guard.rulebook.load import data_folder

FORMATS = {"text": report.as_text, "json": report.as_json, "github": report.as_github}


def run(paths: list[str], form: str) -> int:
    """Lints rule files or folders; 0 if nothing was found, 1 otherwise. Raises UsageError for a path that is not there.

    Findings go to standard output, the count to standard error.
    """
    if form not in FORMATS:
        raise UsageError(f"--format: expected one of {', '.join(FORMATS)} (got '{form}')")
    found = []
    files = 0
    for folder, sources in _sources(paths or [data_folder("rules")]):
        files += len(sources)
        found += rules.check(folder, sources)
    sys.stdout.write(FORMATS[form](found))
    if form == "text":
        sys.stderr.write(f"{files} rule files, {len(found)} findings\n")
    return 1 if found else 0


def _sources(paths: list[str]) -> list[tuple[str, list[str]]]:
    """Folders of rules with the files to look at in each."""
    found = []
    for path in paths:
        whole = os.path.abspath(path)
        if os.path.isdir(os.path.join(whole, "commands")):
            found.append((whole, build.sources(whole)))
        elif os.path.isfile(whole) and f"{os.sep}commands{os.sep}" in whole:
            folder, _, source = whole.rpartition(f"{os.sep}commands{os.sep}")
            found.append((folder, [source]))
        else:
            raise UsageError(f"{path}: expected a folder of rules (with commands/ in it) or a file below its commands/")
    return found
