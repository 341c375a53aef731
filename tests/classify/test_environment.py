"""Variables that a line sets: what is harmless by its value."""

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
        ("LC_ALL=C sort f", True),
        ("LC_ALL=en_US.UTF-8 sort f", True),
        ("LC_ALL= sort f", True),
        ("LANGUAGE=en:de ls", True),
        ("LANGUAGE=../../tmp/x ls", False),
        ("env LC_MESSAGES=/tmp/x ls", False),
        ('LANG="$x" ls', False),
        ("TZ=UTC date", True),
        ("TZ=America/New_York date", True),
        ("for z in UTC Asia/Tokyo; do TZ=$z date; done", True),
        ("TZ=/dev/watchdog date", False),
        ("TZ=:/dev/watchdog date", False),
        ("TZ=../../dev/watchdog date", False),
        ("for z in UTC /dev/watchdog; do TZ=$z date; done", False),
        ("TERM=xterm-256color ls", True),
        ("TERM=./x ls", False),
        ('prompt="a question"; echo "$prompt"', True),
        ("PS1='$(touch p)'", False),
        ("PS1='\\044(touch p)'", False),
        ('prompt="$x"', False),
        ("read -r PS1 < f", False),
        ("mailpath=(x)", False),
        (": ${TERM:=xterm}; ls", True),
        (": ${TERM:=../x}; ls", False),
        ("COLUMNS=80 ls", True),
        (": ${COLUMNS:=80}; ls", True),
        ("MAILCHECK='a[$(touch p)]'", False),
        ("histchars='!^:'", False),
    ],
)
def test_what_a_value_may_hold(command: str, expected: bool) -> None:
    assert (judge.command(command, PLACE, Grant(), BOOK).decision is Decision.ALLOW) is expected
