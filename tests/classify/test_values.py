"""A value that is one of several is judged as each of them; one that is not known, as all that it could be."""

from __future__ import annotations

import pytest

from guard import judge
from guard.classify import Place
from guard.model.effect import Kind
from guard.model.grant import READ_ONLY, Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook

PLACE = Place("/nonexistent/project", "/home/user")
BOOK = Rulebook()
READING = Grant()
NETWORK = Grant(READ_ONLY | {Kind.NET_READ})


def allowed(command: str, grant: Grant = READING) -> bool:
    return judge.command(command, PLACE, grant, BOOK).decision is Decision.ALLOW


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('for x in -n -r; do sort "$x" f; done', True),
        ('for x in -n -o; do sort "$x" f; done', False),
        ('x=-o; [ "$y" ] && x=-n; sort "$x" f', False),
        ('for x in -n "$y"; do sort "$x" f; done', False),
        ('for x in "" -o; do sort $x f; done', False),
        ("for r in HEAD:.env HEAD:a; do git show $r; done", False),
        ("for r in HEAD:b HEAD:a; do git show $r; done", True),
        ('for p in \'import "a" as $x; $x\' .; do jq "$p" f; done', False),
        ('for p in .a .; do jq "$p" f; done', True),
        ('for f in %h %G?; do git log --format="$f"; done', False),
        ('for f in %h %s; do git log --format="$f"; done', True),
        ('for f in % b; do git log --format="${f}G?"; done', False),
        ('for f in "%G$x" b; do git log --format="$f"; done', False),
        ('for f in "%h$x" b; do git log --format="$f"; done', False),
        ('for d in -i a; do for e in s/a/b/ p; do sed "$d" "$e" f; done; done', False),
        (f'for x in {" ".join(map(str, range(20)))} -i; do sed "$x" f; done', False),
        ("for c in ls rm; do $c f; done", False),
        ("for c in ls cat; do $c f; done", True),
        ("for d in a b; do cd $d; done; rm f", False),
    ],
)
def test_several_values(command: str, expected: bool) -> None:
    assert allowed(command) is expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('for f in x b; do gh api -X GET repos/o/r -F a="$f"; done', True),
        ('for f in @.env b; do gh api -X GET repos/o/r -F a="$f"; done', False),
        ('for f in "@$x" b; do gh api -X GET repos/o/r -F a="$f"; done', False),
        ('for f in a=b "a=@$x"; do gh api -X GET repos/o/r -F "$f"; done', False),
    ],
)
def test_a_field_that_may_be_a_file(command: str, expected: bool) -> None:
    assert allowed(command, NETWORK) is expected


@pytest.mark.parametrize(
    "command",
    [
        "n=$(grep -c x src/*); echo $((n))",
        "n=$(grep -c x a?); echo $((n))",
        "Usage='a[$(touch p)]'; n=$(wc -l --help); echo $((n))",
        "n=$(wc -l --versio); echo $((n))",
        "n=$(wc -c < f --help); echo $((n))",
        "n=$(date --help +%s); echo $((n))",
        "n=$(date +%s --version); echo $((n))",
        "n=$(date -f f +%s); echo $((n))",
        "n=$(date -d 1960-01-01 +%s); echo $((n))",
        "inf='a[$(touch p)]'; n=$(seq inf inf | head -n 1); echo $((n))",
        "n=$(seq 1.5 2); echo $((n))",
        "n=$(grep -m $x -c y f); echo $((n))",
        "n=$(wc -lw < f); echo $((n))",
        "n=$(id -u -P); echo $((n))",
        'h=$(git --exec-path merge-base a b); git show "$h"',
    ],
)
def test_no_number_is_claimed_of_what_prints_something_else(command: str) -> None:
    assert judge.command(command, Place("/nonexistent", "/home/user"), Grant(), BOOK).decision is Decision.VETO


@pytest.mark.parametrize("command", ["echo $(($(date -u +%Y) + 1))", 'n=$(grep -m "$x" -c y f); echo $((n))'])
def test_a_number_is_claimed_with_options_that_change_nothing(command: str) -> None:
    assert allowed(command)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('n=$(seq 2); sed "#${n}w out" f', False),
        ('n=$(seq 2); sed "r x${n}w out" f', False),
        ('n=$(seq 2); awk "NR==1 # $n { print > \\"out\\" }" f', False),
        ('n=$(seq 2); jq "#$n import \\"a\\" as \\$d {search: \\"/root\\"}; \\$d" f', False),
        ('n=$(grep -c x f); jq ".[$n].a" f', True),
        ('jq "$x" f', True),
        ('jq ".a.$x" f', True),
        ('yq e ".a | $x load(\\".env\\")" f', False),
        ('yq e ".a[] | select(.b == \\"$x\\")" f', True),
        ("n=$(seq 2); sqlite3 -readonly db \"select 1 + -- $n + writefile('out','x')\"", False),
        ('n=$(grep -c x a && grep -c x b); sed "#${n}w out" f', False),
        ('[ -f a ] && n=$(seq 2) || n=1; sed "#${n}w out" f', False),
        ('for n in "$(seq 2)"; do sed "#${n}w out" f; done', False),
        ('for i in $(seq 1 5); do sed -n "${i}p" f; done', True),
        ('seq 3 | while read i; do sed -n "${i}p" f; done', True),
        ('n=$(wc -l < f); sed -n "${n}p" f', True),
        ('n=$(wc -l < f); m=$(wc -l < g); sed -n "$n,${m}p;$m,${n}p;${n}q" f', True),
        ('n=$(wc -l < f); awk "function f1system(a) {} function fsystem(a) {} { y = f${n}system(\\"x\\") }" f', False),
    ],
)
def test_several_numbers_are_several_lines(command: str, expected: bool) -> None:
    assert allowed(command) is expected


@pytest.mark.parametrize(
    "command",
    ['h=$(git log --format=t%H -1); git show "$h"', 'git log "$(git rev-parse -- foo)"', "zcat *"],
)
def test_claims_that_were_too_wide(command: str) -> None:
    assert not allowed(command)
