"""Properties of verdicts that hold whatever the command is."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guard import judge
from guard.classify import Place
from guard.model.grant import Grant
from guard.model.verdict import Decision
from guard.rulebook import Rulebook
from guard.rulebook.build import sources
from guard.rulebook.load import data_folder

CORPUS = Path(__file__).parent.parent / "corpus"
PLACE = Place("/nonexistent/project", "/home/user")
BOOK = Rulebook()
ROWS = [json.loads(line) for line in (CORPUS / "cases.jsonl").read_text(encoding="utf-8").splitlines()]


def allowed(command: str) -> bool:
    return judge.command(command, PLACE, Grant(), BOOK).decision is Decision.ALLOW


HARMLESS = [row["command"] for row in ROWS if row["right"] == "allow" and allowed(row["command"])]
HARMFUL = [row["command"] for row in ROWS if row["right"] == "veto" and "\n" not in row["command"]]
SIMPLE = [
    "ls -la",
    "git log --oneline -5",
    "grep -rn x src",
    "cat a.txt",
    "sed -n 1,5p a.txt",
    "find . -name x",
    "wc -l a",
]
JOINS = [
    "{}; {}",
    "{} | {}",
    "{} && {}",
    "{} || {}",
    "{}\n{}",
    "{} & {}",
    "if {}; then {}; fi",
    "{{ {}; {}; }}",
    "({}) | ({})",
]

harmless = st.sampled_from(SIMPLE)
harmful = st.sampled_from(HARMFUL)


@given(harmless, harmful, st.sampled_from(JOINS), st.booleans())
@settings(max_examples=300, deadline=None)
def test_joining_a_vetoed_command_never_allows(good: str, bad: str, join: str, swapped: bool) -> None:
    pair = (bad, good) if swapped else (good, bad)
    assert not allowed(join.format(*pair))


@given(harmful, st.sampled_from(["echo $({})", 'echo "$({})"', "cat <({})", "x=$({})", "for i in $({}); do :; done"]))
@settings(max_examples=200, deadline=None)
def test_a_vetoed_command_in_a_substitution_never_allows(bad: str, shape: str) -> None:
    assert not allowed(shape.format(bad))


WORDS = [
    "ls",
    "-la",
    "sort",
    "-o",
    "a.txt",
    "git",
    "log",
    "--output=x",
    "find",
    ".",
    "-delete",
    "sed",
    "-i",
    "-n",
    "1p",
]


def _spelled(word: str, style: int) -> str:
    styles = (
        word,
        f"'{word}'",
        f'"{word}"',
        f"\\{word}" if word[0].isalpha() else word,
        f"{word[0]}''{word[1:]}",
        f'{word[:1]}"{word[1:]}"',
        "$'" + "".join(f"\\x{ord(char):02x}" for char in word) + "'",
    )
    return styles[style]


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.integers(0, 6)), min_size=1, max_size=5))
@settings(max_examples=300, deadline=None)
def test_quoting_a_word_differently_never_changes_the_verdict(words: list[tuple[str, int]]) -> None:
    plain = " ".join(word for word, _ in words)
    assert allowed(" ".join(_spelled(word, style) for word, style in words)) is allowed(plain)


def has_options(program: str) -> bool:
    """Whether words with a dash are options of the program itself (and not of a subcommand, or operands)."""
    node = BOOK.rule(program)
    return node is not None and not (node.syntax == "words" or node.subcommands or node.split)


NAMES = [path.removesuffix(".yaml") for path in sources(data_folder("rules")) if os.sep not in path]
PROGRAMS = list(filter(has_options, NAMES))


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_unknown_option_never_allows(program: str) -> None:
    for option in ("--no-such-option-x", "-\u00a7"):
        assert not allowed(f"{program} {option}")
        assert not allowed(f"{program} {option} a b")


@pytest.mark.parametrize("command", HARMLESS + HARMFUL, ids=lambda command: repr(command)[:50])
def test_sh_dash_c_has_the_verdict_of_its_text(command: str) -> None:
    assert allowed(f"bash -c {shlex.quote(command)}") is allowed(command)


def test_verdicts_do_not_depend_on_locale_or_hash_seed(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"command": row["command"]}) + "\n" for row in ROWS)
    answers = set()
    for locale, seed in (("C", "1"), ("C.UTF-8", "2"), ("tr_TR.UTF-8", "3"), ("POSIX", "4")):
        environment = {**os.environ, "LC_ALL": locale, "PYTHONHASHSEED": seed, "HOME": str(tmp_path)}
        run = subprocess.run(
            [sys.executable, "-m", "guard.cli.main", "classify", "--batch", "--cwd", str(tmp_path)],
            input=lines,
            capture_output=True,
            text=True,
            env=environment,
            check=True,
            encoding="utf-8",
        )
        answers.add(run.stdout)
    assert len(answers) == 1
