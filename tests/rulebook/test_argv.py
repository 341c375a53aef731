"""The argv parser, by a program whose rule has one of everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from guard.model.argument import Argument, Hole, Text
from guard.model.syntax import Span
from guard.rulebook import Rulebook, argv
from guard.rulebook.argv import Parsed

RULE = """
summary: A program for tests.
source: https://example.org/
numeric: true
options:
  "-a, --all": {}
  "-b": {}
  "-o, --output": {takes: write}
  "-c, --colour, --color": {takes: text?}
  "--pair": {takes: [text, text]}
  "-max": {takes: number}
operands: [{read: many}]
examples: {allow: ["prog a"], veto: ["prog -o x"]}
"""
POSIX = RULE.replace("numeric: true", "syntax: posix").replace("read: many", "argv: many")
SINGLE = RULE.replace("numeric: true", "syntax: single")
INERT = RULE.replace("numeric: true", "inert: true")
NESTED = """
summary: Subcommands.
source: https://example.org/
options: {"-C": {takes: text}, "--no-pager": {}}
subcommands:
  "log, l": {options: {"-p": {}}, operands: [{ref: many}]}
  remote:
    subcommands: {show: {operands: [{text: one}]}}
    bare: {effect: repo}
    otherwise: {effect: net_read, operands: [{text: many}]}
examples: {allow: ["prog log"], veto: ["prog x"]}
"""
SPAN = Span(0, 0)


def parsed(folder: Path, rule: str, words: list[str | Argument]) -> Parsed:
    (folder / "commands").mkdir(exist_ok=True)
    (folder / "commands" / "prog.yaml").write_text(rule)
    book = Rulebook(str(folder))
    node = book.rule("prog")
    assert node is not None
    arguments = tuple(
        word if isinstance(word, Argument) else Argument((Text(word, range(len(word))),), SPAN) for word in words
    )
    return argv.parse(book, node, arguments, SPAN, None)


def shown(found: Parsed) -> tuple[list[tuple[str, list[str | None]]], list[str | None], list[str]]:
    """Options with their arguments, operands, codes of problems."""
    used = [(used.option.name, [value.text for value in used.values]) for used in found.used]
    return (
        used,
        [operand.text for operand in found.invocation.operands],
        [effect.reason.code for effect in found.problems],
    )


@pytest.mark.parametrize(
    ("words", "used", "operands", "problems"),
    [
        (["-ab", "x"], [("-a", []), ("-b", [])], ["x"], []),
        (["-abo", "out", "x"], [("-a", []), ("-b", []), ("-o", ["out"])], ["x"], []),
        (["-aoout"], [("-a", []), ("-o", ["out"])], [], []),
        (["x", "-o", "out"], [("-o", ["out"])], ["x"], []),
        (["--output=out"], [("-o", ["out"])], [], []),
        (["--output", "out"], [("-o", ["out"])], [], []),
        (["--out=out"], [("-o", ["out"])], [], []),
        (["--o", "-a"], [("-o", ["-a"])], [], []),
        (["-o", "--", "x"], [("-o", ["--"])], ["x"], []),
        (["--", "-o", "x"], [], ["-o", "x"], []),
        (["-cred", "x"], [("-c", ["red"])], ["x"], []),
        (["-c", "red"], [("-c", [])], ["red"], []),
        (["--colour", "x"], [("-c", [])], ["x"], []),
        (["--col=red"], [("-c", ["red"])], [], []),
        (["--pair", "1", "2", "x"], [("--pair", ["1", "2"])], ["x"], []),
        (["-max", "3"], [("-max", ["3"])], [], []),
        (["-5"], [], [], []),
        (["-"], [], ["-"], []),
        (["-5x"], [], [], ["unknown-option"]),
        (["-z"], [], [], ["unknown-option"]),
        (["-az"], [("-a", [])], [], ["unknown-option"]),
        (["--unknown"], [], [], ["unknown-option"]),
        (["--c"], [("-c", [])], [], []),
        (["--"], [], [], []),
        (["--all=x"], [("-a", [])], [], ["option-argument"]),
        (["-o"], [("-o", [])], [], ["option-argument"]),
    ],
)
def test_gnu(
    tmp_path: Path,
    words: list[str | Argument],
    used: list[tuple[str, list[str]]],
    operands: list[str],
    problems: list[str],
) -> None:
    assert shown(parsed(tmp_path, RULE, words)) == (used, operands, problems)


def test_posix_stops_at_the_first_operand(tmp_path: Path) -> None:
    assert shown(parsed(tmp_path, POSIX, ["-a", "cmd", "-o", "x"])) == ([("-a", [])], ["cmd", "-o", "x"], [])


@pytest.mark.parametrize("spelling", ["-all", "--all"])
def test_single_dash_long_options(tmp_path: Path, spelling: str) -> None:
    assert shown(parsed(tmp_path, SINGLE, [spelling, "x"])) == ([("-a", [])], ["x"], [])


def test_single_dash_options_do_not_cluster(tmp_path: Path) -> None:
    assert shown(parsed(tmp_path, SINGLE, ["-ab"])) == ([], [], ["unknown-option"])


def test_an_abbreviation_of_two_options_is_neither(tmp_path: Path) -> None:
    rule = RULE.replace('"-b": {}', '"-b, --allow": {}')
    assert shown(parsed(tmp_path, rule, ["--al"])) == ([], [], ["unknown-option"])


def test_abbreviations_can_be_ruled_out(tmp_path: Path) -> None:
    rule = RULE.replace("numeric: true", "abbreviate: false")
    assert shown(parsed(tmp_path, rule, ["--out=x"])) == ([], [], ["unknown-option"])


def hole(*before: str, domain: str = "any", many: bool = False, values: tuple[str, ...] = ()) -> Argument:
    known = tuple(Text(text, range(len(text))) for text in before)
    return Argument((*known, Hole(domain, SPAN, values)), SPAN, many)


@pytest.mark.parametrize(
    ("words", "problems"),
    [
        ([hole()], ["dynamic-option"]),
        ([hole(domain="undashed")], []),
        ([hole(domain="plain")], []),
        ([hole(domain="number")], []),
        ([hole(domain="integer")], ["dynamic-option"]),
        ([hole(values=("x", "y"))], []),
        ([hole(values=("x", "-o"))], ["dynamic-option"]),
        ([hole("src/")], []),
        ([hole("src/", many=True)], []),
        ([hole("-")], ["dynamic-option"]),
        ([hole("--")], ["dynamic-option"]),
        ([hole("--out")], ["dynamic-option"]),
        ([hole("--output=")], []),
        ([hole("-o")], []),
        ([hole("-", domain="number")], []),
        (["--", hole()], []),
        (["-o", hole()], []),
        (["-o", hole(many=True), "x"], ["dynamic-option"]),
        ([hole("-o"), "--", "-o"], ["dynamic-option"]),
        ([hole("-ox"), "--", "-o"], []),
    ],
)
def test_words_decided_at_run_time(tmp_path: Path, words: list[str | Argument], problems: list[str]) -> None:
    assert shown(parsed(tmp_path, RULE, words))[2] == problems


def test_an_inert_program_takes_any_word(tmp_path: Path) -> None:
    words: list[str | Argument] = [hole(many=True), hole("-"), hole()]
    assert shown(parsed(tmp_path, INERT, words)) == ([], [None, None, None], [])


@pytest.mark.parametrize(
    ("words", "path", "operands", "problems"),
    [
        (["log", "-p", "main"], ("log",), ["main"], []),
        (["l"], ("l",), [], []),
        (["-C", "x", "--no-pager", "log"], ("log",), [], []),
        (["log", "-C", "x"], ("log",), ["x"], ["unknown-option"]),
        (["remote"], ("remote",), [], []),
        (["remote", "show", "x"], ("remote", "show"), ["x"], []),
        (["remote", "other", "x"], ("remote",), ["other", "x"], []),
        (["nothing"], (), [], ["unknown-subcommand"]),
        ([hole()], (), [], ["dynamic-option", "subcommand-missing"]),
        ([hole(domain="undashed")], (), [], ["dynamic-subcommand"]),
        (["--", "log"], ("log",), [], ["separator"]),
        ([], (), [], ["subcommand-missing"]),
    ],
)
def test_subcommands(
    tmp_path: Path, words: list[str | Argument], path: tuple[str, ...], operands: list[str], problems: list[str]
) -> None:
    found = parsed(tmp_path, NESTED, words)
    assert (found.invocation.path, *shown(found)[1:]) == (path, operands, problems)
