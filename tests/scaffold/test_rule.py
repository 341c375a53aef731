"""A scaffold is a rule file that compiles, vetoes every call, and is refused by lint until it is judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guard.classify import Place, classify
from guard.lint import unjudged
from guard.model.grant import READ_ONLY
from guard.rulebook import Rulebook, schema
from guard.rulebook.compile import top
from guard.rulebook.load import data_folder
from guard.rulebook.yaml_source import read_text
from guard.scaffold import options, rule
from guard.scaffold.options import Option

FOUND = (
    Option(("-c", "--bytes"), "", "print the byte counts"),
    Option(("--from",), "required", 'read "it"; a: b # c'),
    Option(("-i",), "optional", ""),
)


def test_the_text() -> None:
    assert rule("wc", FOUND, "count lines", "wc.1", "x.json").splitlines()[3:] == [
        'summary: "TODO: count lines"',
        'source: "TODO: the address of the manual"',
        "effect: opaque",
        'message: "TODO: what a call does beyond reading; remove effect and message if it is nothing"',
        "options:",
        '  "-c, --bytes": {effect: opaque, message: "TODO: print the byte counts"}',
        '  "--from": {effect: opaque, takes: text, message: "TODO: read \\"it\\"; a: b # c"}',
        '  "-i": {effect: opaque, takes: "text?", message: "TODO: what it does"}',
        'examples: {allow: [], veto: ["wc"]}',
    ]


def test_options_with_one_dash() -> None:
    found = (Option(("-name",), "required", "x"), Option(("--help",), "", "x"))
    assert "syntax: single" in rule("x", found, "", "x", "x").splitlines()
    assert "syntax: single" not in rule("wc", FOUND, "", "x", "x").splitlines()


@pytest.mark.parametrize("call", ["prog", "prog a.txt", "prog -c", "prog --from=a", "prog -i", "prog -j", "prog | cat"])
def test_every_call_is_vetoed(tmp_path: Path, call: str) -> None:
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "prog.yaml").write_text(rule("prog", FOUND, "", "x", "x"))
    book = Rulebook(data_folder("rules"), user=str(tmp_path))
    assert (
        not {effect.kind for effect in classify(call, Place("/nonexistent", "/home/user"), book).effects} <= READ_ONLY
    )


@given(st.text(), st.text())
def test_whatever_a_program_says_the_file_compiles_and_has_to_be_judged(text: str, summary: str) -> None:
    found = options(text)
    written = read_text(rule("prog", found, summary, "prog.1", "x"), "rules/commands/prog.yaml")
    row, _ = top(written, "prog")
    node = schema.node(row)
    assert {option.effect for option in node.options.values()} <= {"opaque"}
    assert set(node.options) == {name for option in found for name in option.spellings}
    assert len(list(unjudged.check(written))) == 3 + len(found)
