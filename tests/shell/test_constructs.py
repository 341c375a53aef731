"""`corpus/shell_constructs.jsonl`: one text for every construct, and what bash ran for it."""

from __future__ import annotations

import json
import os

from guard.model.syntax import Redirect, Script, Simple, Unreadable
from guard.shell import read
from tests.oracle.fuzz import findings, nodes
from tests.oracle.jail import Run

_PATH = os.path.join(os.path.dirname(__file__), "..", "..", "corpus", "shell_constructs.jsonl")
# Evaluated by a builtin or by `[[` at run time: the words are read rightly, and what they do is not the reader's part.
_AT_RUN_TIME = {"cond_v_sub_q", "cond_eq_arith", "test_v_sub", "printf_v_sub", "read_sub", "unset_sub", "declare_i"}
_AT_RUN_TIME |= {"eval_lit", "env_ps4", "trap_exit"}
_READ_AT_LEAST = 300


def _rows() -> list[dict[str, object]]:
    with open(_PATH, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row for row in rows if not str(row["input"]).endswith("chars]")]  # the corpus shortens three of them


def test_nothing_that_bash_ran_is_missing() -> None:
    missing = []
    for row in _rows():
        script = read(str(row["input"]))
        if isinstance(script, Unreadable) or row["name"] in _AT_RUN_TIME:
            continue
        run = Run(row["bash_ran"], [], row["bash_files"], True)  # type: ignore[arg-type]
        missing += findings(script, run)
    assert missing == []


def test_what_bash_refuses_is_refused() -> None:
    assert [
        row["name"] for row in _rows() if not row["bash_syntax_ok"] and isinstance(read(str(row["input"])), Script)
    ] == []


def test_most_constructs_are_read() -> None:
    rows = _rows()
    refused = sorted(str(row["name"]) for row in rows if isinstance(read(str(row["input"])), Unreadable))
    print(f"{len(refused)} of {len(rows)} refused: {' '.join(refused)}")
    assert len(rows) - len(refused) >= _READ_AT_LEAST


def test_places_of_words_are_those_in_the_text() -> None:
    for row in _rows():
        script = read(str(row["input"]))
        if isinstance(script, Unreadable):
            continue
        for kind in (Simple, Redirect):
            for node in nodes(script.body, kind):
                assert isinstance(node, (Simple, Redirect))
                assert 0 <= node.span.start < node.span.end <= len(script.text)
