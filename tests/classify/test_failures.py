"""What bash leaves out where a redirect or an expansion fails, and goes on: nothing is taken for done because of it."""

from __future__ import annotations

import pytest

from guard import judge
from guard.classify import Place
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook

BOOK = Rulebook()
HOSTILE = "n='a[$(touch p)]'\n"

REDIRECTS = [
    "x=rm; { x=ls; } >&9; $x f",
    "x=rm; { x=ls; } 3<&9; $x f",
    "x=rm; { x=ls; } <<< a; $x f",
    'x="w out"; { x=p; } < none; sed -n "$x" f',
    "n='a[$(touch p)]'; { n=1; } < none; echo $((n))",
    "n='a[$(touch p)]'; declare n=1 < none; echo $((n))",
    "n='a[$(touch p)]'; eval n=1 < none; echo $((n))",
    "n='a[$(touch p)]'; n=1 < none; echo $((n))",
    'h=--output=x; git rev-list HEAD | { read h 3< none; git log "$h"; }',
    "x=.env; { x=a; } >&9; cat $x",
    "sleep 9 & wait < none",
]
EXPANSIONS = [
    HOSTILE + "n=$((1/0))\necho $((n))",
    HOSTILE + ": $((08)); n=1\necho $((n))",
    HOSTILE + "ls $((1/0)); n=1\necho $((n))",
    HOSTILE + "{ ls $((1/0)); n=1; }\necho $((n))",
    HOSTILE + "if true; then : $((1/0)); fi; n=1\necho $((n))",
    HOSTILE + "eval 'ls $((1/0)); n=1'\necho $((n))",
    HOSTILE + "shopt -s failglob; ls *zz; n=1\necho $((n))",
    HOSTILE + "echo ${q:1/0}; n=1\necho $((n))",
    "x=rm\n: $((1/0)); x=ls\n$x f",
    "sleep 9 & x=$((1/0)) ls; wait",
    "sleep 9 & ls < $((1/0)); wait",
]
FUNCTIONS = [
    "if [ -f f ]; then wc() { echo 'a[$(touch p)]'; }; fi; n=$(wc -l < f); echo $((n))",
    '[ -f f ] && git() { echo --output=p; }; /usr/bin/git log "$(git rev-parse HEAD)"',
    "wc() { echo 'a[$(touch p)]'; }; unset -f wc; n=$(wc -l < f); echo $((n))",
    '[ -f f ] && read() { :; }; git rev-list HEAD | while read h; do git log "$h"; done',
    'git -C "$(pwd && pwd)" status',
    'cd "$(pwd && pwd)" && git log',
]
HARMLESS = [
    'n=$(wc -l < f)\nm=$((n-5))\nsed -n "${m},${n}p" f',
    "i=0\nwhile [ $i -lt 5 ]; do i=$((i+1)); echo $i; done\necho $i",
    "x=a\nls *.py\ncat $x",
    'while read -r l; do echo "$l"; done < f; ls',
    "n=1; head -n $n f > /dev/null 2>&1; tail -n $n f",
    "x=src; ls $x < f; ls $x",
    "n=$(grep -c x f); echo $((n*2))",
    "sleep 1 & ls 2> /dev/null; wait",
]


def decided(command: str) -> Decision:
    return judge.command(command, Place("/nonexistent", "/home/user"), Grant(), BOOK).decision


@pytest.mark.parametrize("command", REDIRECTS + EXPANSIONS + FUNCTIONS)
def test_what_may_be_left_out_is_not_relied_on(command: str) -> None:
    assert decided(command) is Decision.VETO


@pytest.mark.parametrize("command", HARMLESS)
def test_and_harmless_scripts_pass(command: str) -> None:
    assert decided(command) is Decision.ALLOW
