"""Shells: options, texts, and where dash and busybox read differently."""

from __future__ import annotations

import pytest

from guard.languages import sh
from tests.languages.calls import call, summary


@pytest.mark.parametrize(
    ("program", "line", "expected"),
    [
        ("bash", "-c ls", ["shell ls"]),
        ("bash", "-lc ls·-la", ["shell ls -la"]),
        ("bash", "-euo pipefail -c ls a $", ["shell ls | a | $"]),
        ("bash", "-c -e -- ls", ["shell ls"]),
        ("bash", "--norc --noprofile -c $", ["shell $"]),
        ("bash", "--version", []),
        ("bash", "--help", []),
        ("bash", "-c", ["opaque shell-text"]),
        ("bash", "a.sh --help", ["exec shell-script"]),
        ("bash", "- a.sh", ["exec shell-script"]),
        ("bash", "$", ["opaque shell-option"]),
        ("bash", "./$", ["exec shell-script"]),
        ("bash", "-n a.sh", []),
        ("bash", "-n $.sh", []),
        ("bash", "-n $", ["opaque shell-option"]),
        ("bash", "-n -c rm", []),
        ("bash", "-n", ["opaque shell-stdin"]),
        ("bash", "-ns a.sh", ["opaque shell-stdin"]),
        ("bash", "-n +n a.sh", ["exec shell-script"]),
        ("bash", "-in a.sh", ["exec shell-script"]),
        ("bash", "-norc a.sh", ["opaque shell-option"]),
        ("bash", "-login a.sh", ["opaque shell-option"]),
        ("bash", "-e --norc -c ls", ["opaque shell-option"]),
        ("bash", "--rcfile x", ["opaque shell-option"]),
        ("bash", "--init-file x -n a", ["opaque shell-option"]),
        ("bash", "-O extglob -c ls", ["opaque shell-option"]),
        ("bash", "-o posix -c ls", ["opaque shell-option"]),
        ("bash", "-o noexec a.sh", ["opaque shell-option"]),
        ("bash", "-ac ls", ["opaque shell-option"]),
        ("bash", "+c ls", ["opaque shell-option"]),
        ("bash", "-ic ls", ["shell ls"]),
        ("bash", "-ic echo·!!", ["opaque shell-history"]),
        ("bash", "-ic $", ["opaque shell-history"]),
        ("bash", "", ["opaque shell-stdin"]),
        ("bash", "-s a", ["opaque shell-stdin"]),
        ("bash", "-c [[·a·]]", ["shell [[ a ]]"]),
        ("sh", "-c ls·|·wc", ["shell ls | wc"]),
        ("sh", "-c [[·b·>·a·]]", ["opaque shell-dialect"]),
    ],
)
def test_effects(program: str, line: str, expected: list[str]) -> None:
    assert summary(sh.judge(call(program, line))) == expected


@pytest.mark.parametrize(
    ("stdin", "expected"),
    [
        ("ls\n", ["shell ls\n"]),
        ("ls", ["shell ls"]),
        ("head·-c·6\necho·'\nrm·x\n'", ["opaque shell-stdin"]),  # head takes the start of the next line away
        ("ls·$", ["opaque shell-stdin"]),
    ],
)
def test_program_on_standard_input(stdin: str, expected: list[str]) -> None:
    assert summary(sh.judge(call("bash", "", (), stdin))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ls -la | head", False),
        ("{ ls; }; echo ${x:-y} $((1 + 2))", False),
        ("awk '{print $1, $2}' a", False),
        ("find . -exec ls {} +", False),
        ("export LC_ALL=C; ls", False),
        ("echo $'a'", True),
        ("[[ b > a ]]", True),
        ("((touch p))", True),
        ("ls &>a", True),
        ("echo {a,b}", True),
        ("echo {1..3}", True),
        ("export x=$y", True),
        ("sort $RANDOM", True),
        ("function f\n{ ls; }", True),
    ],
)
def test_dialects(text: str, expected: bool) -> None:
    assert sh.differs(text) is expected
