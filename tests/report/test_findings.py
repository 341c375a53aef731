"""Findings in every form: SARIF against its schema, excerpts, GitHub, JSON."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from jsonschema import Draft7Validator

from guard import report
from guard.lint import pages
from guard.lint.run import lint
from guard.lint.source import Source
from guard.lint.witness import Searcher
from guard.model.diagnostic import Diagnostic, Edit, Fix
from guard.report.excerpt import as_excerpts, as_statistics
from guard.report.sarif import as_sarif

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ONE = Diagnostic(
    "a b/x,y.json",
    2,
    4,
    "B107",
    "too\nwide",
    "warning",
    "unsafe-option",
    2,
    8,
    "find . -delete",
    "deletes",
    "narrow it",
    Fix("remove", (Edit(6, 10, ""),), False),
)
TEXT = 'one\n  "ABCD", \u00e9\n'


def _corpus() -> list[tuple[str, str, list[Diagnostic]]]:
    searcher = Searcher()
    with open(os.path.join(ROOT, "corpus", "lint.jsonl"), encoding="utf-8") as file:
        rows: list[dict[str, Any]] = [json.loads(line) for line in file]
    return [(row["path"], row["file"], lint(Source(row["path"], row["file"]), row["format"], searcher)) for row in rows]


def test_sarif_fits_the_schema() -> None:
    with open(os.path.join(ROOT, "tests", "lint", "sarif-2.1.0.json"), encoding="utf-8") as file:
        schema = Draft7Validator(json.load(file))
    results = 0
    for path, text, found in [
        *_corpus(),
        (ONE.path, TEXT, [ONE]),
        ("gone", "", [ONE._replace(line=0, fix=None)]),
        ("", "", []),
    ]:
        sarif = json.loads(as_sarif(found, pages.infos(), "0.1.0", {path: text}))
        assert [error.message for error in schema.iter_errors(sarif)] == []
        run = sarif["runs"][0]
        assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == sorted(
            {one.code for one in found}, key=[info.code for info in pages.infos()].index
        )
        for result in run["results"]:
            assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        results += len(run["results"])
    assert results > 100


def test_excerpt() -> None:
    assert as_excerpts([ONE], {ONE.path: TEXT}) == (
        "warning[B107] unsafe-option: too\\nwide\n"
        " --> a b/x,y.json:2:4\n"
        "  |\n"
        '2 |   "ABCD", \u00e9\n'
        "  |    ^^^^\n"
        "  |\n"
        "  = witness: find . -delete  (deletes)\n"
        "  = help: narrow it\n"
        "  = fix: remove (--unsafe-fixes)\n"
    )


@pytest.mark.parametrize("column", [1, 200, 900])
def test_long_lines_are_cut_around_the_place(column: int) -> None:
    line = "".join(chr(97 + number % 26) for number in range(1000))
    one = ONE._replace(line=1, column=column, end_line=1, end_column=column + 3)
    shown = as_excerpts([one], {one.path: line}).split("\n")
    source, marks = shown[3], shown[4]
    assert len(source) < 130
    start = marks.index("^")
    assert source[start : start + 3] == line[column - 1 : column + 2]
    assert marks.count("^") == 3


def test_github_and_json_and_statistics() -> None:
    assert report.as_github([ONE]) == (
        "::warning file=a b/x%2Cy.json,line=2,col=4,endLine=2,endColumn=8,title=B107 unsafe-option::"
        "too%0Awide%0Awitness: find . -delete%0Ahelp: narrow it\n"
    )
    (record,) = json.loads(report.as_json([ONE]))
    assert record["fix"] == {"message": "remove", "edits": [{"start": 6, "end": 10, "text": ""}], "safe": False}
    assert (record["line"], record["witness"], record["effect"]) == (2, "find . -delete", "deletes")
    assert as_statistics([ONE, ONE]) == "     2  B107  unsafe-option\n"
