"""`devkit-guard lint`: findings in rule files of any format, in the form asked for, and their fixes."""

from __future__ import annotations

import difflib
import os
import sys
import tempfile

import guard
from guard import report
from guard.lint import config as configuration
from guard.lint import discover, pages
from guard.lint.config import Config
from guard.lint.discover import Target
from guard.lint.session import Session, known_code
from guard.model.diagnostic import Diagnostic
from guard.model.errors import UsageError
from guard.model.record import NamedTuple
from guard.report.excerpt import as_excerpts, as_statistics
from guard.report.sarif import as_sarif

FORMATS = ("text", "concise", "json", "sarif", "github")
EXIT_CLEAN, EXIT_FINDINGS = 0, 1


class Wishes(NamedTuple):
    """The options of the command."""

    form: str = "text"
    as_format: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    statistics: bool = False
    exit_zero: bool = False


def run(paths: list[str], wishes: Wishes) -> int:
    """Lints; 0 if nothing was found, 1 otherwise. Raises UsageError for a path or option that means nothing.

    Findings go to standard output, the count to standard error. `--diff` prints the changes and writes nothing.
    """
    if wishes.form not in FORMATS:
        raise UsageError(f"--format: expected one of {', '.join(FORMATS)} (got '{wishes.form}')")
    chosen = _config(wishes)
    session = Session(chosen)
    targets = [target for target in _targets(paths, wishes.as_format) if not chosen.excludes(target.path)]
    if wishes.fix or wishes.diff:
        changed = [target for target in targets if session.fix(target, wishes.unsafe)]
        if wishes.diff:
            sys.stdout.writelines(_diff(target.path, session.changed[target.path]) for target in changed)
            return 0 if wishes.exit_zero or not changed else EXIT_FINDINGS
        for target in changed:
            _write(target.path, session.changed[target.path])
            sys.stderr.write(f"{target.path}: mended\n")
    found = [one for target in targets for one in session.lint(target)]
    sys.stdout.write(as_statistics(found) if wishes.statistics else _formed(found, wishes.form, session))
    if wishes.form in ("text", "concise"):
        fixable = sum(one.fix is not None and (one.fix.safe or wishes.unsafe) for one in found)
        more = f", {fixable} can be mended with --fix" if fixable else ""
        sys.stderr.write(f"{_count(len(targets), 'file')}, {_count(len(found), 'finding')}{more}\n")
    return EXIT_FINDINGS if found and not wishes.exit_zero else EXIT_CLEAN


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _config(wishes: Wishes) -> Config:
    for code in (*wishes.select, *wishes.ignore):
        if not known_code(code):
            raise UsageError(f"no check has the code or name '{code}': see docs/checks.md")
    found = configuration.find(os.getcwd())
    for code in (*found.select, *found.ignore):
        if not known_code(code):
            raise UsageError(f"configuration: no check has the code or name '{code}'")
    select = wishes.select or found.select
    return found._replace(select=select, ignore=(*found.ignore, *wishes.ignore))


def _targets(paths: list[str], form: str | None) -> list[Target]:
    found: list[Target] = []
    for path in paths:
        below = list(discover.named(path, form))
        if not below:
            sys.stderr.write(f"{path}: no rule file of a known format in it (see --as)\n")
        found += below
    if paths:
        return list(dict.fromkeys(found))
    home = os.environ.get("HOME")
    found = list(discover.everywhere(".", home if home and os.path.isabs(home) else None))
    if not found:
        sys.stderr.write("no rule file where the tools keep theirs, here and at home: name files or folders\n")
    return found


def _formed(found: list[Diagnostic], form: str, session: Session) -> str:
    if form == "text":
        return as_excerpts(found, session.texts)
    if form == "sarif":
        return as_sarif(found, pages.infos(), guard.__version__, session.texts)
    return {"concise": report.as_text, "json": report.as_json, "github": report.as_github}[form](found)


def _diff(path: str, after: str) -> str:
    with open(path, encoding="utf-8", newline="") as file:
        before = file.read()
    lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), path, path)
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _write(path: str, text: str) -> None:
    """Replaces the file as a whole, or not at all; a link stays a link, and the rights stay."""
    real = os.path.realpath(path)
    mode = os.stat(real).st_mode
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(real))
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(temporary, mode & 0o7777)
        os.replace(temporary, real)
    except OSError:
        os.unlink(temporary)
        raise
