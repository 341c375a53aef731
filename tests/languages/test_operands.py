"""Languages that look at operands only: dd, the pagers' keystrokes, addresses, outputs named by position."""

from __future__ import annotations

import pytest

from guard.languages import (
    dd,
    file_or_url,
    names_in_scripts,
    options_first,
    pager,
    plain_words,
    second_output,
    separate_arguments,
)
from guard.model.argument import ReadsPath
from guard.model.invocation import Given
from guard.model.syntax import Span
from tests.languages.calls import call, summary
from tests.languages.calls import word as as_word


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("if=a bs=1 count=16 status=none", []),
        ("if=$ bs=$", []),
        ("if=a of=b", ["write b"]),
        ("of=$", ["write $"]),
        ("of=x$", ["write x$"]),
        ("if=a seek=1", ["opaque unknown-operand"]),
        ("$", ["opaque unknown-operand"]),
        ("*if=$", ["opaque unknown-operand"]),
        ("o$f=b", ["opaque unknown-operand"]),
        ("a.txt", ["opaque unknown-operand"]),
    ],
)
def test_dd(line: str, expected: list[str]) -> None:
    assert summary(dd.judge(call("dd", line))) == expected


def test_dd_reads_its_input() -> None:
    (found,) = dd.judge(call("dd", "if=~/.ssh/id_rsa"))
    assert isinstance(found, ReadsPath)
    assert found.path.text == "~/.ssh/id_rsa"


@pytest.mark.parametrize(
    ("word", "harmless"),
    [
        ("a.txt", True),
        ("+10", True),
        ("+G", True),
        ("+/def·main", True),
        ("+!touch", False),
        ("+/a$", False),
        ("+/a\n!touch", False),
        ("+10!touch", False),
        ("++!touch", False),
        ("+$", False),
        ("src/$", True),
        ("$", False),
    ],
)
def test_pager(word: str, harmless: bool) -> None:
    less = call("less")._replace(operands=(as_word(word),))
    assert summary(pager.judge(less)) == ([] if harmless else ["exec pager-keystrokes"])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.xml ./b.xml httpd.conf", []),
        ("https://example.com/a.json", ["net_read url-operand"]),
        ("HTTP://example.com/a", ["net_read url-operand"]),
        ("a ftp://example.com/b", ["net_read url-operand"]),
        ("ht$", ["net_read url-operand"]),
        ("src/$", []),
    ],
)
def test_file_or_url(line: str, expected: list[str]) -> None:
    assert summary(file_or_url.judge(call("gron", line))) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.pdf -", []),
        ("", []),
        ("a.pdf", ["write write-operand"]),
        ("a.pdf a.txt", ["write write-operand"]),
        ("a.pdf -foo", ["write write-operand"]),
        ("*$ -", ["write write-operand"]),
        ("a.pdf $", ["write write-operand"]),
        ("a.pdf - x", ["write write-operand"]),
    ],
)
def test_second_output(line: str, expected: list[str]) -> None:
    assert summary(second_output.judge(call("pdftotext", line))) == expected


@pytest.mark.parametrize(
    ("word", "harmless"),
    [("git", True), ("python3.11", True), ("x';touch·p;'", False), ("$", False), ("a$", False), ("a·b", False)],
)
def test_plain_words(word: str, harmless: bool) -> None:
    whereis = call("whereis")._replace(operands=(as_word(word),))
    assert summary(plain_words.judge(whereis)) == ([] if harmless else ["exec pasted-operand"])


@pytest.mark.parametrize(
    ("line", "options", "expected"),
    [
        ("a", [], []),
        ("", [0], []),
        ("a b", [0, 2], []),
        ("a b", [5], ["opaque late-option"]),
        ("a", [2, 5, 9], ["opaque late-option", "opaque late-option"]),
    ],
)
def test_options_first(line: str, options: list[int], expected: list[str]) -> None:
    operands = tuple(as_word(text)._replace(span=Span(4, 6)) for text in line.split())
    given = tuple(Given("-c", None, Span(start, start + 2)) for start in options)
    uniq = call("uniq")._replace(operands=operands, options=given)
    assert summary(options_first.judge(uniq)) == expected


@pytest.mark.parametrize(
    ("name", "value", "start", "expected"),
    [
        ("-L", "2", 5, []),
        ("-L", "2", 8, []),
        ("-I", "a", 8, []),
        ("-I", "o", 5, ["opaque attached-argument"]),
        ("-I", "$", 5, ["opaque attached-argument"]),
        ("-a", None, 5, []),
        ("--sort", "name", 5, []),
    ],
)
def test_separate_arguments(name: str, value: str | None, start: int, expected: list[str]) -> None:
    argument = None if value is None else as_word(value)._replace(span=Span(start, start + 2))
    tree = call("tree")._replace(options=(Given(name, argument, Span(5, 10)),))
    assert summary(separate_arguments.judge(tree)) == expected


@pytest.mark.parametrize(
    ("program", "line", "options", "expected"),
    [
        ("zgrep", "a b.gz c.gz", (), []),
        ("zgrep", "$ b.gz", (), []),
        ("zgrep", "x $", (), ["exec pasted-name"]),
        ("zgrep", "x b.gz *./$ c", (), ["exec pasted-name"]),
        ("zgrep", "*./$", (), ["exec pasted-name"]),
        ("zgrep", "./$", (("-e", "x"),), ["exec pasted-name"]),
        ("xzgrep", "x ./$", (), ["exec pasted-name"]),
        ("zdiff", "./$ b", (), ["exec pasted-name"]),
    ],
)
def test_names_that_scripts_paste(
    program: str, line: str, options: tuple[tuple[str, str | None], ...], expected: list[str]
) -> None:
    assert summary(names_in_scripts.judge(call(program, line, options))) == expected


def test_a_name_of_several_lines() -> None:
    two = call("zgrep", "x")._replace(operands=(as_word("x"), as_word("a\nw·b")))
    assert summary(names_in_scripts.judge(two)) == ["exec pasted-name"]
