"""What the witness found is told only of the rule that it saw."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from guard.model.errors import UsageError
from guard.prove import record
from guard.rulebook import Rulebook

RULE = "summary: Shows.\nsource: https://example.org/\noptions: {-a: {}}\nexamples: {allow: [prog], veto: [prog -b]}\n"
VETOED = "summary: Acts.\nsource: https://example.org/\neffect: exec\nexamples: {veto: [other]}\n"


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    commands = tmp_path / "rules" / "commands"
    (commands / "top").mkdir(parents=True)
    (commands / "prog.yaml").write_text(RULE)
    (commands / "other.yaml").write_text(VETOED)
    (commands / "top.yaml").write_text(
        RULE.replace("prog", "top").replace("options", "split: true\ngroups: {common: {-x: {}}}\noptions")
    )
    (commands / "top" / "sub.yaml").write_text("include: [common]\nexamples: {allow: [top sub]}\n")
    return Rulebook(str(tmp_path / "rules"))


def rewrite(book: Rulebook, path: str, old: str, new: str) -> None:
    file = Path(book.folder) / "commands" / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def recorded(book: Rulebook, **runs: int) -> record.Recorded:
    row = {"digest": record.digest(book, "prog.yaml"), "date": "2026-01-01", "examples": 1}
    return {"machine": {}, "rules": {"prog": {**row, "runs": {key.replace("_", " "): n for key, n in runs.items()}}}}


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ({"not_refuted": 2}, "not refuted, 2 runs"),
        (
            {"not_refuted": 2, "ended_with_an_error": 1, "not_finished": 3},
            "not refuted, 2 runs (1 ended with an error, 3 not finished)",
        ),
        ({"not_refuted": 3, "refuted": 1}, "refuted in 1 of 4 runs"),
        ({"not_installed": 2}, "not installed"),
        ({"ended_with_an_error": 2}, "2 ended with an error"),
    ],
)
def test_result(book: Rulebook, runs: dict[str, int], expected: str) -> None:
    assert record.result(book, "prog.yaml", recorded(book, **runs)) == expected


def test_what_was_not_seen(book: Rulebook) -> None:
    assert record.result(book, "prog.yaml", {"machine": {}, "rules": {}}) == "not recorded"
    assert record.result(book, "other.yaml", {"machine": {}, "rules": {}}) == "no example to run"


@pytest.mark.parametrize(
    ("old", "new"), [("-a: {}", "-c: {}"), ("[prog]", "[prog -a]"), ("-a: {}", "-a: {takes: read}")]
)
def test_a_rule_that_was_changed(book: Rulebook, old: str, new: str) -> None:
    found = recorded(book, not_refuted=2)
    rewrite(book, "prog.yaml", old, new)
    assert record.result(book, "prog.yaml", found) == "changed since"


def test_form_and_what_people_read_are_no_change(book: Rulebook) -> None:
    before = record.digests(book)
    rewrite(book, "prog.yaml", "Shows.", "Prints.")
    rewrite(book, "other.yaml", "effect: exec", "effect: exec\nmessage: acts\ninstead: nothing")
    rewrite(book, "prog.yaml", "options: {-a: {}}", "# a comment\noptions:\n  -a: {}")
    assert record.digests(book) == before


def test_what_a_subcommand_shares_counts(book: Rulebook) -> None:
    before = record.digests(book)
    assert set(before) == {"prog", "other", "top", "top/sub"}
    rewrite(book, "top.yaml", "-x: {}", "-x: {effect: write}")
    after = record.digests(book)
    assert {name for name in before if before[name] != after[name]} == {"top", "top/sub"}
    rewrite(book, "top.yaml", "{allow: [top]", "{allow: [top -a]")
    assert {name for name, value in record.digests(book).items() if after[name] != value} == {"top"}


def test_a_run_of_some_is_put_beside_the_others(tmp_path: Path, book: Rulebook) -> None:
    path, known = str(tmp_path / "witness.json"), record.digests(book)
    row: dict[str, Any] = {"examples": 1, "runs": {"not refuted": 2}}
    record.write(path, record.kept(path, known, everything=True), known, {"prog": row, "top": row})
    assert record.read(path)["machine"] == record.machine()
    known.pop("top")  # its rule is gone
    record.write(path, record.kept(path, known, everything=False), known, {"top/sub": row})
    assert {name: row["runs"] for name, row in record.read(path)["rules"].items()} == {
        "prog": {"not refuted": 2},
        "top/sub": {"not refuted": 2},
    }
    assert record.kept(path, known, everything=True) == {}


def test_results_of_another_machine_are_not_mixed_with_ours(tmp_path: Path, book: Rulebook) -> None:
    path, known = tmp_path / "witness.json", record.digests(book)
    path.write_text(json.dumps({"machine": {"system": "Other 1"}, "rules": {"prog": {}}}))
    with pytest.raises(UsageError, match="recorded with system Other 1: prove all rules"):
        record.kept(str(path), known, everything=False)
    assert record.kept(str(path), known, everything=True) == {}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"machine": {}, "rules": []}', "\x00"])
def test_a_file_of_another_kind(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(UsageError, match="not a record of `prove`"):
        record.read(str(tmp_path / "x.json"))
