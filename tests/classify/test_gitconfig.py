"""The reader of git's configuration files, against git itself."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from guard.classify import gitconfig

PIECES = [
    *("[core]", "[Core]", '[diff "a b"]', '[diff "a\\"b\\\\"]', "[sec.Sub]", "[a-b]", "\n", "\n", "\n", "\r\n"),
    *("key = value", "Key=v", "key", "key =", "k-1 = ' x '", ' = "q; #"', "  x = a  b  ", "x = a # c", "y = a;b"),
    *('z = "a" b "c"', 'e = a\\n\\t\\\\ \\"', "c = a\\\n  b", "c = a \\\n", 'd = "a\\\n b"', "# c \\", "; x", "\t"),
    *("[", "]", '"', "\\", "=", "1 = 2", "ä = b", "k = ä", "[core]k = v", '[x "y"] ; c', "k = a \t ", "\ufeff"),
]


def by_git(path: Path) -> list[tuple[str, str]] | None:
    """(full key, value) pairs as git reads the file; None where git refuses it."""
    found = subprocess.run(
        ["git", "config", "--file", str(path), "--no-includes", "--list", "-z"], capture_output=True, check=False
    )
    if found.returncode:
        return None
    entries = found.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]
    pairs = (entry.partition("\n") for entry in entries)
    return [(key, blank(value) if sign else "true") for key, sign, value in pairs]


def blank(value: str) -> str:
    """Older versions of git make a space of every unquoted blank, newer ones keep it."""
    return value.replace("\t", " ").replace("\r", " ")


def by_us(path: Path) -> list[tuple[str, str]] | None:
    text = path.read_bytes().decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    try:
        return [
            (".".join(part for part in key if part), blank(value)) for key, value in gitconfig.parse(text, "config")
        ]
    except gitconfig.Unreadable:
        return None


@pytest.mark.parametrize("seed", range(4))
def test_as_git_reads_it(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "config"
    accepted = 0
    for _ in range(150):
        text = chance.choice(["", "[core]\n"]) + "".join(chance.choices(PIECES, k=chance.randint(1, 8)))
        path.write_bytes(text.encode())
        expected = by_git(path)
        if expected is None:
            continue
        accepted += 1
        assert by_us(path) == expected, text
    assert accepted > 20
