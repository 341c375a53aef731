"""What a check is, and what it is given.

A check is a module of `guard/lint/checks` with `CODE`, `NAME`, `SEVERITY`, a docstring that is its page, `BAD` and
`GOOD` examples, and `check(file)`, which yields findings. Where a finding points is said in offsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from guard.lint import relations
from guard.lint.broad import Grantee, judged
from guard.lint.evasions import Evasion, evaded
from guard.lint.policy import Policy, Rule
from guard.lint.witness import Searcher
from guard.model.diagnostic import Fix
from guard.model.record import NamedTuple


class Example(NamedTuple):
    """A file of a format. `name` is its path where that matters."""

    format: str
    text: str
    name: str = ""


class Finding(NamedTuple):
    """One finding, before code and place are filled in. `severity` is empty for the check's own."""

    start: int
    end: int
    message: str
    witness: str = ""
    effect: str = ""
    help: str = ""
    fix: Fix | None = None
    severity: str = ""


class File:
    """A policy with what several checks need to know about it, worked out once."""

    def __init__(self, policy: Policy, searcher: Searcher) -> None:
        self.policy = policy
        self.searcher = searcher

    @cached_property
    def grantees(self) -> list[Grantee]:
        """The allow rules that let something through that they should not, with their witnesses."""
        return judged(self.policy, self.searcher)

    @cached_property
    def evasions(self) -> list[Evasion]:
        """The deny and ask rules that do not hold, each with a spelling that it misses."""
        return evaded(self.policy, self.searcher)

    @cached_property
    def covered(self) -> list[tuple[Rule, Rule]]:
        """Pairs of a rule and a wider one of the same decision."""
        return relations.covered(self.policy)

    @cached_property
    def overridden(self) -> list[tuple[Rule, Rule]]:
        """Pairs of a rule and one of another decision that goes before it for all that it matches."""
        return relations.overridden(self.policy)

    def broad(
        self, kind: str, message: str, advice: str = "", severity: Callable[[Grantee], str] = lambda _: ""
    ) -> Iterator[Finding]:
        """Findings for all allow rules that `guard.lint.broad` puts into this class; `severity` gives one of another
        severity than the check's."""
        for one in self.grantees:
            rule, found, witness, _ = one
            if found == kind:
                fix = Fix("remove the rule: such commands are asked about again", rule.cut, False) if rule.cut else None
                text = message.replace("RULE", f"`{rule.text}`")
                version = f" (in {witness.matching.name})" if witness.matching.name else ""
                yield Finding(
                    rule.start, rule.end, text + version, witness.command, witness.effect, advice, fix, severity(one)
                )

    def marked(self, kind: str, advice: str = "", fix: str = "") -> Iterator[Finding]:
        """Findings for what the reader of the file saw."""
        for mark in self.policy.marks:
            if mark.kind == kind:
                edits = Fix(fix or advice or "mend it", mark.edits, mark.safe) if mark.edits else None
                yield Finding(mark.start, mark.end, mark.detail, mark.witness, help=advice, fix=edits)
