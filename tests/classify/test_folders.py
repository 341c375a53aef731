"""Folders that are searched: the working directory where no operand is given, the home directory and those above it."""

from __future__ import annotations

import pytest

from guard import judge
from guard.classify import Place
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook

PLACE = Place("/nonexistent/project", "/home/user")
BOOK = Rulebook()


def allowed(command: str, place: Place = PLACE) -> bool:
    return judge.command(command, place, Grant(), BOOK).decision is Decision.ALLOW


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rg x", True),
        ("cd src && grep -r x", True),
        ("cd ~/.aws && grep -r x", False),
        ("cd ~/.aws && grep x", True),
        ("cd ~/.aws && rg x $files", False),
        ("cd ~/.aws && rg x /srv", True),
        ("cd ~/.aws && ls", True),
        ("git -C ~/.aws grep --no-index x", False),
        ("git -C src grep x -- a", True),
        ("find ~/.ssh -type f -execdir cat {} +", False),
        ("find . -type f -execdir grep x {} +", True),
        ("pushd ~/.aws && rg x", False),
        ("pushd src && rg x && popd", True),
        ("cd ~/.aws; pushd /tmp; popd; rg x", False),
        ("rg x ~", False),
        ("rg x ~/", False),
        ("rg x ~/src", True),
        ("rg x ~other", False),
        ("grep -r x /home", False),
        ("grep -r x /home/*", False),
        ("grep -r x /", False),
        ("grep -r x /var", True),
        ("cd ~ && rg x", False),
        ("cd ~/a && rg x ..", False),
        ('cat "/$f"', True),
        ("cat ~/notes/*", True),
        ("ls ~", True),
        ("du -sh /", True),
        ("fd x ~", True),
        ("fd . ~ | xargs cat", False),
        ("fd .env | xargs cat", False),
        ("lsof -n +D ~", True),
        ("find ~ -maxdepth 2 -name x", True),
        ("find ~ -type f | wc -l", True),
        ("find ~ -type f | xargs cat", False),
        ("find / -type f | xargs cat", False),
        ("find ~ -type f -exec cat {} +", False),
        ("find ~ -name '*.md' -exec cat {} +", True),
        ("find . -type f | xargs cat", True),
    ],
)
def test_what_is_searched(command: str, expected: bool) -> None:
    assert allowed(command) is expected


@pytest.mark.parametrize(
    ("cwd", "home", "command", "expected"),
    [
        ("/home/user", "/home/user", "rg x", False),
        ("/home/user", "/home/user", "rg x src", True),
        ("/", "/root", "grep -rn x .", False),
        ("/", "/root", 'cat "$f"', True),
        ("/srv", None, "rg x ~", False),
        ("/srv", None, "rg x", True),
    ],
)
def test_where(cwd: str, home: str | None, command: str, expected: bool) -> None:
    assert allowed(command, Place(cwd, home)) is expected
