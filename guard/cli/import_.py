"""`devkit-guard import FILE`: another tool's allowlist as a grant, with a line for each rule."""

from __future__ import annotations

import json
import sys

from guard.lint import discover, importing, run, source
from guard.lint.foreign import FORMATS
from guard.lint.witness import Searcher
from guard.model.errors import UsageError


def verb(path: str, form: str | None) -> tuple[list[importing.Fate], str, list[str]]:
    """(what became of each rule, the grant as YAML, the lines of the report)."""
    (target,) = discover.named(path, form)
    if target.form not in FORMATS:
        raise UsageError(f"{path}: this is one of our own files already: nothing to import")
    policy = run.read(source.read(path), target.form)
    if any(mark.kind == "invalid-file" for mark in policy.marks):
        mark = next(mark for mark in policy.marks if mark.kind == "invalid-file")
        line, column = policy.source.place(mark.start)
        raise UsageError(f"{path}:{line}:{column}: {mark.detail}")
    found = importing.fates(policy, Searcher())
    return found, importing.grant_text(found, path), list(importing.report_lines(found, policy))


def run_(path: str, form: str | None, *, as_json: bool) -> int:
    """Prints the grant on standard output and the report on standard error; 0."""
    found, grant, lines = verb(path, form)
    if as_json:
        fates = [{"rule": one.rule.text, "what": one.what, "why": one.why, "run": one.run or None} for one in found]
        sys.stdout.write(json.dumps({"grant": grant, "rules": fates}, indent=2, ensure_ascii=False) + "\n")
        return 0
    sys.stdout.write(grant)
    sys.stderr.write("".join(line + "\n" for line in lines))
    counts = {what: sum(one.what == what for one in found) for what in ("kept", "needless", "dropped")}
    sys.stderr.write(", ".join(f"{count} {what}" for what, count in counts.items()) + "\n")
    return 0
