"""`devkit-guard explain CODE|PROGRAM`: the page of a check, or what the rule of a program says."""

from __future__ import annotations

import sys
from difflib import get_close_matches

from guard.lint import pages
from guard.model.errors import UsageError
from guard.prove import page, record
from guard.rulebook import Rulebook, build
from guard.rulebook.compile import examples as examples_of
from guard.rulebook.schema import Node, Option, Takes


def run(name: str) -> int:
    """Prints the page; 0. Raises UsageError where nothing has this name."""
    found = pages.page(name) or program(name)
    if found is None:
        codes = [info.code for info in pages.infos()] + [info.name for info in pages.infos()]
        near = get_close_matches(name, codes, 1)
        hint = f": did you mean '{near[0]}'?" if near else ": expected the code or name of a check, or a program"
        raise UsageError(f"nothing is called '{name}'{hint}")
    sys.stdout.write(found)
    return 0


def program(name: str) -> str | None:
    """What a rule says, as text; `git log` for a subcommand."""
    words = name.split()
    book = Rulebook()
    node = book.rule(words[0]) if words else None
    for at, word in enumerate(words[1:], 1):
        node = book.subcommand(node, tuple(words[:at]), word) if node is not None else None
    if node is None:
        return None
    row = page.row(book, name, node, record.read(record.file()))
    lines = [f"{name}  [{node.file}]", "", node.summary or "(no summary)", ""]
    lines += [f"Passes: {page.passing(row.facts)}", f"Vetoed: {page.vetoed(row.facts) or 'what is not listed'}"]
    lines += [f"Source: {row.source}", f"Witness: {row.witness}", ""]
    if node.effect:
        lines.append(f"Effect: {node.effect}{' of its operands' if node.on_operands else ''}")
    if node.instead:
        lines.append(f"Instead: {node.instead}")
    lines += _options(node)
    operands = [
        f"{_type(entry.takes)} ({entry.many})" + (f" {entry.effect}" if entry.effect else "") for entry in node.operands
    ]
    lines += ["Operands: " + ", ".join(operands)] if operands else []
    if node.subcommands:
        lines += ["", "Subcommands: " + ", ".join(sorted(node.subcommands))]
    lines += _examples(book, node)
    return "\n".join(lines) + "\n"


def _options(node: Node) -> list[str]:
    spellings: dict[Option, list[str]] = {}
    for spelling, option in node.options.items():
        spellings.setdefault(option, []).append(spelling)
    lines = ["", "Options:"] if spellings else []
    for option, names in spellings.items():
        takes = " ".join(_type(one) for one in option.takes)
        effect = f"  {option.effect}" if option.effect else ""
        lines.append(
            f"  {', '.join(names)} {takes}".rstrip() + effect + (f"  {option.message}" if option.message else "")
        )
    return lines


def _type(takes: Takes) -> str:
    return f"{takes.type} {takes.language}".strip() + ("?" if takes.optional else "")


def _examples(book: Rulebook, node: Node) -> list[str]:
    path = node.file.removeprefix("rules/commands/")
    lines: list[str] = []
    for wanted, line in examples_of(build.read(book.folder, path)):
        lines.append(f"  {wanted:<6}{line.data}")
    return ["", "Examples:", *lines] if lines else []
