"""Names of credential stores on their way through parameters, arrays, `read` and expansions to who reads by them."""

from __future__ import annotations

import pytest

from guard import judge
from guard.classify import Place
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook

PLACE = Place("/nonexistent/project", "/home/user")
BOOK = Rulebook()


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('f() { cat "$1"; }; f .env', False),
        ('f() { cat "$1"; }; f a.txt', True),
        ('f() { grep -c "$1" "$2"; }; f .env a.txt', True),
        ('f() { cat "$2"; }; f $x .env', False),
        ('f() { shift; cat "$1"; }; f a .env', False),
        ('f() { cat "${11}"; }; f 1 2 3 4 5 6 7 8 9 10 .env', False),
        ('f() { for x; do cat "$x"; done; }; f .env', False),
        ('f() { cat "$1"; }; f "$d/.env"', False),
        ('f() { local p=$1; cat "$p"; }; f .env', False),
        ('set -- .env; cat "$1"', False),
        ('set -- a.txt; cat "$1"', True),
        ("sh -c 'cat \"$1\"' _ .env", False),
        ("bash -c 'cat \"$0\"' .env", False),
        ("bash -c 'cat \"$1\"' .env a.txt", True),
        ("FOO=.env bash -c 'cat \"$FOO\"'", False),
        ("x=.env; bash -c 'cat \"$x\"'", False),
        ('read x <<< .env; cat "$x"', False),
        ('read -ra x <<< ".env a"; cat "${x[0]}"', False),
        ('read <<< .env; cat "$REPLY"', False),
        ('mapfile -t x <<< .env; cat "${x[0]}"', False),
        ("while read x; do cat $x; done <<< .env", False),
        ('while read -r x; do head "$x"; done <<< "a b"', True),
        ('x=(.env); cat "${x[0]}"', False),
        ('x=(a); x+=(.env); cat "${x[@]}"', False),
        ('x=(a b); cat "${x[@]}"', True),
        ('printf -v x .env; cat "$x"', False),
        ('cat "${x:-.env}"', False),
        ('cat "${x:-a.txt}"', True),
        ("cat ~/.aws/${x:-credentials}", False),
        ("cat ~/.aws/$x", False),
        ("cat src/$x", True),
        (": ${x:=.env}; cat $x", False),
        ('[ -f a ] && x=.env; cat "$x"', False),
        ('x=$(date); [ -f a ] && x=.env; cat "$x"', False),
        ('for f in "$d/.env" x; do cat "$f"; done', False),
        ('x=a; while read -r l; do x="$x $l"; done < f; echo "$x"', True),
        ('a=(); while read -r l; do a+=("$l"); done < f; head "${a[0]}"', True),
        ('f="a.env"; echo "${f%.env}"', True),
        ("rg x -g .env", False),
        ("rg x --iglob='/.ENV'", False),
        ("rg x -g '{.env,a}'", False),
        ("rg x -g '.en[v]'", False),
        ("rg x -g '**/.en?'", False),
        ("rg --files -g .env --hidden | xargs cat", False),
        ("rg x -g '!.env' -g '*.{ts,tsx}'", True),
        ("rg x -g 'src/**' -g '*.[ch]'", True),
        ('rg x -g "$glob"', True),
        ("grep -r x --include=.env .", False),
        ("grep -r x --include='*.{js,ts}' .", True),
        ("rgrep x --include=.env .", False),
    ],
)
def test_names_are_followed(command: str, expected: bool) -> None:
    assert (judge.command(command, PLACE, Grant(), BOOK).decision is Decision.ALLOW) is expected
