"""docs/rules.md: what every rule lets through, what it vetoes and why, and what the witness found, made from the rules.

`python -m guard.prove.page > docs/rules.md` writes it anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from guard.prove import record
from guard.prove.facts import WORDS, Facts, facts
from guard.prove.record import Recorded
from guard.rulebook import Rulebook, build, schema
from guard.rulebook.compile import examples as examples_of
from guard.rulebook.schema import Node

_MOST_PASSING, _MOST_VETOED = 8, 5
HEAD = """\
# Rules

<!-- Made by `python -m guard.prove.page > docs/rules.md`; a test compares it. -->

One row for each rule file: parts of a command that pass, and those that are vetoed, by effect. A part in both columns
passes in some forms. Whatever a rule does not list is vetoed too. Long lists are cut (`+3`: three more);
`devkit-guard explain PROGRAM` prints all of a rule. What reads over the network passes where `net_read` is granted.

The last column is what `devkit-guard prove` found when it ran the examples that the rule allows. It refutes and never
proves ([prove.md](prove.md)). "Changed since": the rule is not the one that was run.
"""


OTHER = "Other signs"


class Row(NamedTuple):
    """The cells of one rule. `name` is `sed` or `git log`, `file` `sed.yaml` or `git/log.yaml`, `source` an address."""

    name: str
    file: str
    facts: Facts
    source: str
    witness: str


def rows(book: Rulebook, recorded: Recorded) -> Iterator[Row]:
    """A row for each rule file, in the order of their names."""
    for path in build.sources(book.folder):
        for name, compiled in build.compile_file(book.folder, path).items():
            if isinstance(compiled, list):
                yield row(book, name.replace("/", " "), schema.node(compiled), recorded)


def row(book: Rulebook, words: str, node: Node, recorded: Recorded) -> Row:
    """The row of a program, or of a subcommand with what is known of the file that it stands in."""
    path = node.file.removeprefix("rules/commands/")
    value = build.read(book.folder, path)
    shown = [(verdict, str(line.data)) for verdict, line in examples_of(value)]
    keys = value.mapping("rule")
    if "source" not in keys and os.sep in path:
        keys = build.read(book.folder, f"{path.partition(os.sep)[0]}.yaml").mapping("rule")
    return Row(
        words,
        path,
        facts(book, words, node, shown),
        keys["source"].text("source") if "source" in keys else "",
        record.result(book, path, recorded),
    )


def passing(found: Facts, most: int = _MOST_PASSING) -> str:
    """What passes, as one cell."""
    return _list(found.passes, most) or "nothing"


def vetoed(found: Facts, most: int = _MOST_VETOED) -> str:
    """What is vetoed, by effect, as one cell."""
    return "; ".join(f"{WORDS[kind]}: {_list(names, most)}" for kind, names in found.vetoed.items())


def _list(names: tuple[str, ...], most: int) -> str:
    shown = [_name(name) for name in names[:most]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" +{more}" if more > 0 else "")


def _name(name: str) -> str:
    """A part of a command as code; what is said in words stays so."""
    if " without " in f" {name}" or name.startswith(
        ("any call", "operands", "files", "subcommands", "alone", "a ", "the ")
    ):
        return name
    text = " ".join(name.split())
    fence = "``" if "`" in text else "`"
    pad = " " if fence == "``" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def page(found: Iterable[Row], recorded: Recorded) -> str:
    """docs/rules.md."""
    lines = [HEAD]
    dates = sorted({row["date"] for row in recorded["rules"].values()})
    if dates:
        machine = ", ".join(f"{name} {value}" for name, value in recorded["machine"].items())
        lines.append(f"Recorded on {' to '.join(dict.fromkeys((dates[0], dates[-1])))} with {machine}.\n")
    for section, below in groupby(sorted(found, key=_order), _section):
        lines += [f"## {section}", "", "| program | passes | vetoed | source | witness |", "|---|---|---|---|---|"]
        lines += [_line(one) for one in below]
        lines.append("")
    return "\n".join(lines)


def _line(one: Row) -> str:
    cells = [
        f"[{one.name.replace('[', chr(92) + '[')}](../rules/commands/{one.file})",
        passing(one.facts),
        vetoed(one.facts),
        f"[{_host(one.source)}]({one.source})" if "://" in one.source else one.source,
        one.witness,
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _order(one: Row) -> tuple[bool, str, str, str]:
    """Programs by letter, other signs first; then the subcommands that have files of their own."""
    section = _section(one)
    return os.sep in one.file, "" if section == OTHER else section, one.name.casefold(), one.name


def _section(one: Row) -> str:
    program, slash, _ = one.file.partition(os.sep)
    if slash:
        return f"{program}, its subcommands"
    first = one.name[:1].upper()
    return first if first.isalpha() and first.isascii() else OTHER


def _host(address: str) -> str:
    return address.partition("://")[2].partition("/")[0].removeprefix("www.")


def main() -> None:
    """Prints the page of the shipped rules."""
    book, recorded = Rulebook(), record.read(record.file())
    print(page(rows(book, recorded), recorded), end="")


if __name__ == "__main__":
    main()
