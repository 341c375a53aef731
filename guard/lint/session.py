"""Linting many files with one memory, whatever their formats."""

from __future__ import annotations

import os

from guard.lint import flows, rules, run, source, suppress
from guard.lint.checks import CHECKS
from guard.lint.config import Config
from guard.lint.discover import Target
from guard.lint.foreign import FORMATS
from guard.lint.own_pages import OWN, own
from guard.lint.source import Source
from guard.lint.witness import Searcher
from guard.model.diagnostic import Diagnostic
from guard.model.errors import RuleError
from guard.rulebook import Rulebook


class Session:
    """Findings by file; `texts` are the contents of the files that were read, `changed` the mended ones."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.searcher = Searcher()
        self.texts: dict[str, str] = {}
        self.changed: dict[str, str] = {}
        self.books: dict[str, Rulebook] = {}

    def lint(self, target: Target) -> list[Diagnostic]:
        """The wanted findings in one file. A file that cannot be read is a finding, not an error."""
        try:
            read = source.read(target.path)
        except RuleError as error:
            return self.wanted([own(error, "F001", error.message)])
        self.texts[target.path] = read.text
        found = run.lint(read, target.form, self.searcher) if target.form in FORMATS else self.own(target, read)
        return self.wanted(found)

    def own(self, target: Target, read: Source) -> list[Diagnostic]:
        """Findings in one of our own files."""
        if target.form == "rules":
            folder = target.folder or os.path.dirname(os.path.dirname(os.path.abspath(target.path)))
            inner = os.path.relpath(os.path.abspath(target.path), os.path.join(folder, "commands"))
            book = self.books.setdefault(folder, rules.book_of(folder))
            found = [one._replace(path=target.path) for one in rules.check(folder, [inner], book)]
        elif target.form == "board":
            found = flows.check_board(target.path, target.path)
        elif target.form in flows.LISTS:
            found = flows.check_lists(target.path, target.path, target.form)
        else:
            found = flows.check_workflow(target.path, target.path)
        return suppress.apply(read, found)

    def wanted(self, found: list[Diagnostic]) -> list[Diagnostic]:
        """Those that the configuration asks for."""
        return [one for one in found if self.config.wants(one)]

    def fix(self, target: Target, unsafe: bool) -> bool:
        """Mends a file of another tool in memory; whether anything changed."""
        if target.form not in FORMATS:
            return False
        try:
            before = source.read(target.path)
        except RuleError:
            return False
        after = run.mended(before, target.form, self.searcher, unsafe, self.config.wants)
        if after.text == before.text:
            return False
        self.changed[target.path] = after.text
        return True


def known_code(code: str) -> bool:
    """Whether a code, a start of one or a name stands for any check."""
    names = {module.NAME for module in CHECKS.values()} | {check.name for check in OWN.values()}
    return code == "ALL" or code in names or (bool(code) and any(one.startswith(code) for one in (*CHECKS, *OWN)))
