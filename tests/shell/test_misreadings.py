"""Texts that bashlex or tree-sitter-bash are known to misread, each with what it is about.

Every one of them is either refused or read with exactly the commands that bash runs.
"""

from __future__ import annotations

import pytest

from guard.model.syntax import Unreadable
from guard.shell import read
from tests.oracle.fuzz import findings
from tests.oracle.jail import Jail, available

_BASHLEX = {
    "a word that begins and ends with a single quote": [
        "m1 'a'$(m2)'b'", "m1 'a'\"$(m2)\"'b'", "m1 'a'`m2`'b'", "m1 > 'a'$(m2)'b'",
        "for i in 'a'$(m1)'b'; do m2; done", "'m''1' a",
    ],
    "only the first line of a substitution": ["m1 $(m2\nm3)", "m1 `m2\nm3`", "m1 <(m2\nm3)", "x=$(m1\nm2)"],
    "process substitution behind a double quote": ['m1 ""<(m2)', 'm1 "$x"<(m2)'],
    "a hash inside a word in a substitution": ["m1 $(m2 a#)\nm3\n: )"],
    "arithmetic as nested subshells": ["((x=1<<2))\nm1\n2", "(( 5 > 3 ))"],
    "quoted delimiters": [f"m1 <<{q}\nx\nE\nm2\n{q}\n" for q in ("'E'", '"E"', "\\E")] + [
        "m1 <<E'F'\nx\nEF\nm2\nE'F'\n"
    ],
    "here-documents in compound commands": [
        "{ m1 <<E\nE\nm2\nE\n}", "(m1 <<E\nE\nm2\nE\n)", "for i in a; do m1 <<E\nE\nm2\nE\ndone",
        "f() { m1 <<E\nE\nm2\nE\n}\nf",
    ],
    "texts that are never parsed": [
        "m1 <<E\n$(m2)\nE\n", "m1 ${x:-$(m2)}", "m1 ${x:=$(m2)}", "m1 ${a[$(m2)]}", "m1 ${x/u/$(m2)}",
        "m1 \"${x:-'$(m2)'}\"", "m1 ~$(m2)",
    ],
    "assignments": ["a[ 1 + 1 ]=1 m1", "a=1 > w b=2 m1", "é=1 m1"],
    "values": [
        "m1 '-del''ete'", "m1 'a'$'b'", 'm1 "a\\nb"', "m1 a'b\\c'd", 'm1 x="it\'s"', "m1 -e's/\\n/ /'g", "m1 $'\\x72m'",
        'm1 $"hi"', "m1 {-delete,}", "m1 99999999999> w", "m1 \u0663>w", "m1 } a=b",
    ],
    "hangs and crashes": [
        "m1 -e's/${//'", "m1 x'${'y", "m1 $(m2 && m3)", "m1 $(m2 a#b)", "", "# c", "# c\nm1",
        "m1 " + "$(" * 320 + "m2" + ")" * 320,
    ],
}  # fmt: skip
_TREE_SITTER = {
    "backslash-newline inside a word": ["m\\\n1 a", "m1 --de\\\nlete"],
    "backquotes": ["m1 ${x:-`m2`}", "m1 <<E\n`m2`\nE\n", "m1 `m2 \\`m3\\``", "`m1`\n\nm2 ` b`"],
    "delimiters": ["m1 <<\\E\nx\nE\nm2", "m1 <<E'F'\nx\nEF\nm2"],
    "redirects": ["m1 > w a", "[ a > w ]", "m1 <> w", "m1 . > w -delete", "x=1 > w"],
    "reserved words": ["time m1 a", "time { m1; }", "coproc m1", "! ! m1", "case x in x) m1 esac;; esac"],
    "characters": [f"m1 a{c}m2" for c in "\r\x0b\x0c\0\u00a0\u2003\u2028\u0085"] + ["\ufeffm1 a"],
    "brackets": ["m1 trafila[tura --hel]p"],
    "leniency": ["> w if m1", "{m1; }", "m1; then", "m1\nfi"],
    "newlines": ["m1 <<A <<B\n1\nA\n2\nB\nm2", "m1 \\ \nm2", "m1\n\\m2 -rf x", "x=\\\n m1", "m1 <<E; m2\nhi\nE\n"],
}


def _texts() -> list[str]:
    return [text for group in (_BASHLEX, _TREE_SITTER) for texts in group.values() for text in texts]


@pytest.mark.skipif(not available(), reason="needs bash and bubblewrap")
def test_every_misreading_is_refused_or_read_as_bash_does() -> None:
    scripts = {text: script for text in _texts() if not isinstance(script := read(text), Unreadable)}
    with Jail() as jail:
        for _ in range(2):  # commands that succeed, and commands that fail
            for text, run in jail.run(scripts):
                assert findings(scripts[text], run) == []


_READ = [
    "m1 'a'$(m2)'b'", "m1 $(m2\nm3)", "((x=1<<2))\nm1\n2", "m1 <<'E'\nx\nE\nm2\n'E'\n", "{ m1 <<E\nE\nm2\n}",
    "m1 <<E\n$(m2)\nE\n", "m1 ${x:-$(m2)}", "m1 -e's/${//'", "m1 $(m2 && m3)", "", "# c", "m1 > w a", "time m1 a",
    "x=\\\n m1",
]  # fmt: skip


@pytest.mark.parametrize("text", _READ)
def test_these_are_read(text: str) -> None:
    assert not isinstance(read(text), Unreadable)
