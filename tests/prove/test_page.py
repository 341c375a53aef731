"""The table of all rules is what the rules say, and `explain` says the same of one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from guard.model.effect import Kind
from guard.prove import facts, page, record
from guard.prove.facts import Facts
from guard.rulebook import Rulebook

ROOT = Path(__file__).parents[2]
BOOK = Rulebook()
EMPTY: record.Recorded = {"machine": {}, "rules": {}}
HEAD = "summary: S.\nsource: https://example.org/x\n"


def test_documentation_is_unchanged() -> None:
    recorded = record.read(str(ROOT / "corpus" / "witness.json"))
    expected = page.page(page.rows(BOOK, recorded), recorded)
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == expected


def test_nothing_that_was_recorded_is_refuted() -> None:
    rules = record.read(str(ROOT / "corpus" / "witness.json"))["rules"]
    assert [name for name, row in rules.items() if row["runs"].get("refuted")] == []
    assert sum(row["runs"].get("not refuted", 0) for row in rules.values()) > 2000


CASES = {
    "options and operands": (
        "options: {-a: {}, -o: {takes: write}, -x: {takes: program}, -m: {takes: {values: [r], else: delete}}}\n"
        "operands: [{read: many}]\nexamples: {allow: [prog], veto: [prog -o x]}\n",
        ("files to read", "-a", "-m"),
        {Kind.WRITE: ("-o",), Kind.DELETE: ("-m",), Kind.EXEC: ("-x",)},
    ),
    "a program that acts": ("effect: process\nexamples: {veto: [prog]}\n", (), {Kind.PROCESS: ("any call",)}),
    "operands that are written": (
        "options: {-f: {}}\noperands: [{write: many}]\nexamples: {allow: [prog], veto: [prog a]}\n",
        ("the call without operands",),
        {Kind.WRITE: ("operands",)},
    ),
    "subcommands": (
        "bare: {}\nsubcommands:\n  show: {options: {-w: {takes: write}}}\n  add: {effect: repo}\n"
        "  get: {effect: net_read}\notherwise: {any: true, effect: exec}\n"
        "examples: {allow: [prog], veto: [prog add]}\n",
        ("alone", "show"),
        {
            Kind.NET_READ: ("get",),
            Kind.WRITE: ("show -w",),
            Kind.REPO: ("add",),
            Kind.EXEC: ("other subcommands",),
        },
    ),
    "without an option": (
        "options: {-l: {}}\nrequires: {one_of: [-l], else: write}\nexamples: {allow: [prog -l], veto: [prog]}\n",
        ("the call without operands", "-l"),
        {Kind.WRITE: ("without -l",)},
    ),
    "what a language judges is read off the examples": (
        "language: sed\noptions: {-n: {}, -i: {}}\noperands: [{text: one}, {read: many}]\n"
        "examples: {allow: ['prog p a'], veto: ['prog -i p a', 'prog \"w out\" a']}\n",
        ("operands", "files to read", "-n"),
        {Kind.WRITE: ("-i", "w out")},
    ),
}


@pytest.mark.parametrize(("text", "passes", "vetoed"), CASES.values(), ids=CASES)
def test_facts(tmp_path: Path, text: str, passes: tuple[str, ...], vetoed: dict[Kind, tuple[str, ...]]) -> None:
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "prog.yaml").write_text(HEAD + text)
    for data in Path(BOOK.folder).glob("*.yaml"):
        (tmp_path / data.name).write_bytes(data.read_bytes())
    book = Rulebook(str(tmp_path))
    (row,) = page.rows(book, EMPTY)
    assert row == page.Row("prog", "prog.yaml", Facts(passes, vetoed), "https://example.org/x", row.witness)


def test_order() -> None:
    nothing = Facts((), {})
    files = ("b.yaml", "top/b.yaml", "A.yaml", "c.yaml", "_bracket.yaml", "top/a.yaml", "a.yaml")
    rows = [page.Row("[" if file[0] == "_" else file.removesuffix(".yaml"), file, nothing, "", "") for file in files]
    lines = page.page(rows, EMPTY).splitlines()
    links = [line.partition("(../rules/commands/")[2].partition(")")[0] or line.partition("## ")[2] for line in lines]
    expected = "Other signs|_bracket.yaml|A|A.yaml|a.yaml|B|b.yaml|C|c.yaml|top, its subcommands|top/a.yaml|top/b.yaml"
    assert list(filter(None, links)) == expected.split("|")


def test_every_kind_has_words() -> None:
    assert set(facts.WORDS) == set(Kind) - {Kind.READ, Kind.CACHE}


def test_cells() -> None:
    found = Facts(("-a", "files to read", "x`y"), {Kind.WRITE: ("-o", "-p", "a|b"), Kind.EXEC: ("-x",)})
    assert page.passing(found, 2) == "`-a`, files to read +1"
    assert page.passing(found) == "`-a`, files to read, `` x`y ``"
    assert page.passing(Facts((), {})) == "nothing"
    assert page.vetoed(found, 2) == "writes files: `-o`, `-p` +1; runs other code: `-x`"
    text = page.page([page.Row("top sub", "top/sub.yaml", found, "https://www.e.org/", "not recorded")], EMPTY)
    assert text.splitlines()[-1] == (
        "| [top sub](../rules/commands/top/sub.yaml) | `-a`, files to read, `` x`y `` | "
        "writes files: `-o`, `-p`, `a\\|b`; runs other code: `-x` | [e.org](https://www.e.org/) | not recorded |"
    )


@pytest.mark.parametrize("name", ["sed", "git log"])
def test_explain_says_the_same(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "guard.cli.main", "explain", name], capture_output=True, text=True, check=True, cwd="/"
    )
    node = BOOK.rule("sed") if name == "sed" else BOOK.subcommand(BOOK.rule("git"), ("git",), "log")  # type: ignore[arg-type]
    assert node is not None
    row = page.row(BOOK, name, node, record.read(record.file()))
    for line in (
        f"Passes: {page.passing(row.facts)}",
        f"Vetoed: {page.vetoed(row.facts)}",
        f"Source: {row.source}",
        f"Witness: {row.witness}",
    ):
        assert line in done.stdout.splitlines()
