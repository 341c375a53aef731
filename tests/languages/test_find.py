"""find expressions: what they run, write and delete, under every reading of doubtful words."""

from __future__ import annotations

import pytest

from guard.languages import find
from guard.model.argument import ReadsPath
from tests.languages.calls import call, summary


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", []),
        (". -name *.py -type f", []),
        ("-L src -maxdepth 2 ( -name a -o ! -iname b ) , -ls", []),
        ("-E -x . -regex .*", []),
        ("-D exec -O3 -- . -quit", []),
        (". -newermt 2020-01-01 -printf %p", []),
        (". -name -delete", []),
        (". -depth 3 -print", []),
        (". -depth -3 -delete", ["delete find-delete"]),
        ("-maxdepth 1 .", []),
        (". --help", []),
        (". -delete", ["delete find-delete"]),
        (". -frobnicate", ["opaque unknown-primary"]),
        ("-f a -print", ["opaque unknown-primary"]),
        (". -", []),
        (". -fprint out", ["write out"]),
        (". -fls out -fprint0 o2", ["write out", "write o2"]),
        (". -fprintf out %p -delete", ["write out", "delete find-delete"]),
        # commands
        (". -exec cat {} ;", ["argv cat ./$"]),
        ("-exec cat {} ;", ["argv cat ./$"]),
        ("src/ -exec cat x{}.y ;", ["argv cat xsrc$.y"]),
        ("/ -exec cat {} ;", ["argv cat /$"]),
        ("a b -exec cat {} +", ["argv cat *a$", "argv cat *b$"]),
        ("a b c d e -exec cat {} ;", ["argv cat $"]),
        (". -exec cat {} ; -exec rm {} ;", ["argv cat ./$", "argv rm ./$"]),
        (". -exec echo + ; -delete", ["argv echo +", "delete find-delete"]),
        (". -exec echo {} +x ;", ["argv echo ./$ +x"]),
        (". -exec echo {} +x -exec rm {} ;", ["argv echo ./$ +x -exec rm ./$", "argv echo *./$", "argv rm ./$"]),
        (". -exec echo {} +x -delete ;", ["argv echo ./$ +x -delete"]),
        (". -exec echo {} x ;", ["argv echo ./$ x"]),
        (". -execdir cat {} ;", ["argv cat $ in $", "argv cat ./$"]),
        (". -okdir cat {} ;", ["argv cat $ in $", "argv cat ./$"]),
        (". -ok cat {} ;", ["argv cat ./$"]),
        (". -ok cat {} + ;", ["opaque find-exec"]),
        (". -exec cat x{} {} +", ["opaque find-exec"]),
        (". -exec cat {}", ["opaque find-exec"]),
        (". -exec ;", ["opaque find-exec"]),
        (". -exec {} ;", ["argv ./$"]),
        ("-files0-from list -exec cat {} ;", ["argv cat $"]),
        # a BSD find takes `;y` for the end, and then there is a second command
        (". -exec grep x ;y -exec rm {} ;", ["argv grep x ;y -exec rm ./$", "argv grep x", "argv rm ./$"]),
        # words decided at run time
        (". -name $", []),
        (". -name a$ -delete", ["delete find-delete"]),
        ("./$ -name x", []),
        ("$/x -exec cat {} ;", ["argv cat $"]),
        ("$ -name x", ["opaque dynamic-primary"]),
        (". $", ["opaque dynamic-primary"]),
        (". -$", ["opaque dynamic-primary"]),
        ("-D $ .", ["opaque unknown-primary", "opaque dynamic-primary"]),
        ("*./$ -print", []),
        ("*$ -print", ["opaque dynamic-primary"]),
        (". -name *$", ["opaque dynamic-primary"]),
        (". -name *$.py", []),
        (". -name *$.py -type f", []),
        (". -name *$.py -name -delete", ["delete find-delete"]),
        (". -exec grep $ {} ;", ["argv grep $ ./$"]),
        (". -exec grep $ $ {} ;", ["argv grep $ $ ./$", "argv grep ./$ $ ./$"]),
        (". -exec grep $ -exec rm {} ;", ["argv grep $ -exec rm ./$", "argv grep", "argv rm ./$"]),
        (". -exec grep x $ + -exec rm {} ;", ["argv grep x $ + -exec rm ./$", "argv grep x *./$", "argv rm ./$"]),
        (". -exec grep *$ {} ;", ["opaque dynamic-primary", "argv grep *$ ./$"]),
        (". -exec grep x *./$ {} +", ["argv grep x *./$ *./$"]),
        (". -exec grep {$ ;", ["argv grep $"]),
    ],
)
def test_effects(line: str, expected: list[str]) -> None:
    assert summary(find.judge(call("find", line))) == expected


def test_starting_points_are_listed_and_not_read() -> None:
    assert not [found for found in find.judge(call("find", "a b/$ -print")) if isinstance(found, ReadsPath)]


def test_too_many_readings_are_opaque() -> None:
    outcomes = find.judge(call("find", ". -exec x " + "*$.a {} " * 40 + ";"))
    assert "opaque find-readings" in summary(outcomes)
