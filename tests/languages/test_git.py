"""git's command line beyond its options: settings, addresses, formats, two-pass parsing, paths in revisions."""

from __future__ import annotations

import pytest

from guard.languages import git, git_settings
from guard.model.argument import Argument, Hole, Printed, ReadsPath, Text
from guard.model.invocation import Invocation
from guard.model.syntax import Span
from guard.rulebook import Rulebook, argv
from tests.languages.calls import call, shown, summary, word

BOOK = Rulebook()


def parsed(line: str, domain: str = "any") -> Invocation:
    """The invocation of a command line, words parted by single blanks; `$` is a hole, `·` a blank."""
    words = []
    start = 4
    for text in line.split(" ")[1:]:
        span = Span(start, start + len(text))
        pieces: list[Text | Hole] = []
        for index, part in enumerate(text.replace("·", " ").split("$")):
            if index:
                pieces.append(Hole(domain, span))
            if part:
                pieces.append(Text(part, range(start, start + len(part))))
        words.append(Argument(tuple(pieces), span))
        start += len(text) + 1
    rule = BOOK.rule("git")
    assert rule is not None
    return argv.parse(BOOK, rule, tuple(words), Span(0, len(line)), None).invocation


@pytest.mark.parametrize(
    ("setting", "harmless"),
    [
        ("color.ui=never", True),
        ("color.diff.old=red", True),
        ("core.quotePath=false", True),
        ("CORE.QUOTEPATH=false", True),
        ("core.pager=cat", True),
        ("core.pager=", True),
        ("core.pager=less", False),
        ("core.pager", False),
        ("core.fsmonitor=false", True),
        ("core.fsmonitor", False),
        ("core.fsmonitor=true", False),
        ("core.fsmonitor=./x", False),
        ("core.hooksPath=/dev/null", True),
        ("core.hooksPath=hooks", False),
        ("core.sshCommand=x", False),
        ("core.worktree=/", False),
        ("diff.context=5", True),
        ("diff.external=x", False),
        ("diff.external=", False),
        ("diff.algorithm.textconv=x", False),
        ("diff.x.textconv=x", False),
        ("diff.x.context=x", False),
        ("log.date=iso", True),
        ("log.showSignature=false", True),
        ("log.showSignature=true", False),
        ("user.name=a b", True),
        ("user.name=$", True),
        ("advice.detachedHead=false", True),
        ("alias.x=!id", False),
        ("include.path=x", False),
        ("filter.x.clean=x", False),
        ("safe.directory=*", False),
        ("pager.log=false", True),
        ("pager.log=less", False),
        ("credential.helper=", True),
        ("credential.helper=x", False),
        ("color", False),
        ("$", False),
        ("color.$", False),
        ("core.pager=$", False),
    ],
)
def test_settings(setting: str, harmless: bool) -> None:
    kinds = summary(git_settings.judge(word(setting), call("git")))
    assert kinds == ([] if harmless else ["exec git-setting"])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git log -1", []),
        ("git --help", []),
        ("git --help log", ["exec git-help"]),
        ("git -h log", ["exec git-help"]),
        # two passes
        ("git log --grep -q", []),
        ("git log --grep -q --author --output=o", ["opaque git-two-passes"]),
        ("git log --grep=-q --author=--output=o", []),
        ("git log -S-q -G--output=o", []),
        ("git log --grep $", []),
        ("git log -pn --output=o", ["opaque git-two-passes"]),
        ("git log -n --output=o", []),
        ("git log --grep $ --author $", ["opaque git-two-passes"]),
        ("git log --grep x$ --author $", []),
        ("git -C $ log --grep $", []),
        ("git grep -e -O -e --output=x", []),
        ("git archive --prefix --output=o HEAD", ["opaque git-two-passes"]),
        ("git archive --prefix $ HEAD", ["opaque git-two-passes"]),
        ("git archive --prefix=$ HEAD", []),
        ("git stash show -S stash@{0} -G --output=o", ["opaque git-two-passes"]),
        ("git fast-export --grep --export-marks=m HEAD", ["opaque git-two-passes"]),
        ("git stash list -- --output=o", ["opaque git-two-passes"]),
        ("git stash list -- a.txt", []),
        ("git fast-export -- --output=o", ["opaque git-two-passes"]),
        ("git range-diff -- --output=o a..b", ["opaque git-two-passes"]),
        ("git log -- --output=o", []),
        # signatures
        ("git log --format=%H", []),
        ("git log --format=%G?", ["build git-format"]),
        ("git log --pretty=format:%h%+GS", ["build git-format"]),
        ("git log --format=%%G", []),
        ("git log --format=%<(10)%GK", ["build git-format"]),
        ("git log --format=$", ["build git-format"]),
        ("git shortlog --group=format:%GS HEAD", ["build git-format"]),
        ("git tag -l --format=%(signature)", ["build git-format"]),
        ("git branch --format=%(*signature:grade)", ["build git-format"]),
        ("git for-each-ref --format=%(refname)", []),
        # addresses
        ("git ls-remote origin", []),
        ("git ls-remote ext::sh·-c·id", ["exec git-address"]),
        ("git ls-remote -- $", ["opaque git-two-passes", "exec git-address"]),
        ("git ls-remote https://example.org/$", []),
        ("git ls-remote -- x$", ["exec git-address"]),
        ("git remote show foo::bar", ["exec git-address"]),
        ("git archive --remote=ext::id HEAD", ["exec git-address"]),
        # merges
        ("git merge-tree a b", ["repo git-merge-tree"]),
        ("git merge-tree x$ a b", []),
        ("git merge-tree --write-tree a b c", ["repo git-merge-tree"]),
        ("git merge-tree --trivial-merge a b c", []),
    ],
)
def test_effects(line: str, expected: list[str]) -> None:
    assert summary(git.judge(parsed(line))) == expected


def test_plain_holes_in_formats() -> None:
    assert summary(git.judge(parsed("git log --format=%h:$", "plain"))) == []
    assert summary(git.judge(parsed("git log --format=%$", "plain"))) == ["build git-format"]


@pytest.mark.parametrize(
    ("operand", "path"),
    [
        ("HEAD", None),
        ("HEAD:.env", ".env"),
        (":0:.env", ".env"),
        (":.env", ".env"),
        (":(top).env", ".env"),
        (":(exclude).env", None),
        (":!.env", "!.env"),
        ("x$:.env", ".env"),
        ("HEAD:$", "$"),
        ("HEAD:", None),
    ],
)
def test_paths_in_revisions(operand: str, path: str | None) -> None:
    found = [outcome for outcome in git.judge(parsed(f"git show {operand}")) if isinstance(outcome, ReadsPath)]
    assert [shown(outcome.path) for outcome in found] == ([] if path is None else [path])


@pytest.mark.parametrize(
    ("line", "fetches"),
    [
        ("git rev-parse HEAD", False),
        ("git log --oneline -5", False),
        ("git log --oneline main..topic", False),
        ("git log -p", True),
        ("git log --stat", True),
        ("git log -- a.txt", True),
        ("git log src", True),
        ("git show HEAD", True),
        ("git --no-lazy-fetch show HEAD", False),
        ("git cat-file -p HEAD", True),
        ("git stash list", False),
        ("git stash show", True),
        ("git branch -a", False),
        ("git status", True),
        ("git --version", False),
    ],
)
def test_partial_clones(line: str, fetches: bool) -> None:
    assert git.fetches(parsed(line)) is fetches


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git rev-list HEAD -- $", "hex"),
        ("git rev-list -1 --all", "hex"),
        ("git rev-list --count HEAD", "number"),
        ("git rev-list --count --left-right a...b", ""),
        ("git rev-list --boundary HEAD", ""),
        ("git rev-list --objects HEAD", ""),
        ("git rev-list --format=%H HEAD", ""),
        ("git for-each-ref --format=%(objectname)", "hex"),
        ("git for-each-ref --format=%(refname)", ""),
        ("git log --format=%H", "hex"),
        ("git log -1 --pretty=tformat:%h -- $", "hex"),
        ("git log --reverse --author=$ --format=format:%T", "hex"),
        ("git log --format=%H --format=%s", ""),
        ("git log --format=%s", ""),
        ("git log --format=$", ""),
        ("git log --format", ""),
        ("git log --graph --format=%H", ""),
        ("git log -p --format=%H", ""),
        ("git log --left-right --format=%H", ""),
        ("git log -g --format=%H", ""),
        ("git log --oneline", ""),
        ("git show -s --format=%H v1", ""),
    ],
)
def test_printed(line: str, expected: str) -> None:
    assert git.prints(parsed(line)) == Printed(expected)
