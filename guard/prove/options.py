"""Command lines made from rules: every option of every program that the rules allow, one by one.

Examples show what their author thought of. These show what the rule says: an option that is listed as harmless is run,
with arguments that fit the types the rule gives them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from guard.classify import classify
from guard.model.grant import READ_ONLY
from guard.prove.examples import PLACE, Example, example
from guard.prove.states import PLAIN
from guard.rulebook import Rulebook, build, schema
from guard.rulebook.schema import Node, Operand, Option

_FILLING = {
    "number": "1", "pattern": "alpha", "ref": "HEAD", "url": "", "text": "x", "suffix": "x", "format": "x",
    "read": "a.txt",
}  # fmt: skip


def of_options(book: Rulebook, programs: Iterable[str] = ()) -> list[Example]:
    """One example for each option, with and without operands, that is allowed; as root, who may do most."""
    wanted = set(programs)
    states = tuple(state for state in PLAIN if state.uid == 0)
    found: dict[str, Example] = {}
    for words, node in nodes(book, wanted):
        for _, command in commands(words, node):
            if command not in found and only_reads(book, command):
                made = example(book, node.place(), words.split(" ")[0], command)
                found[command] = made._replace(states=states)
    return list(found.values())


def only_reads(book: Rulebook, command: str) -> bool:
    """Whether a command line is allowed without a grant."""
    return {effect.kind for effect in classify(command, PLACE, book).effects} <= READ_ONLY


def nodes(book: Rulebook, wanted: Collection[str] = ()) -> Iterator[tuple[str, Node]]:
    """Programs and subcommands with the words that lead to them; of all rule files where none is wanted by name."""
    for path in build.sources(book.folder):
        if not wanted or path.removesuffix(".yaml").split("/")[0] in wanted:
            for name, row in build.compile_file(book.folder, path).items():
                if isinstance(row, list):
                    yield from _below(name.replace("/", " "), schema.node(row))


def _below(words: str, node: Node) -> Iterator[tuple[str, Node]]:
    yield words, node
    for name, row in node.subcommands.items():
        if isinstance(row, list):
            yield from _below(f"{words} {name}", schema.node(row))


def commands(words: str, node: Node) -> Iterator[tuple[Option | None, str]]:
    """Command lines that a rule makes possible, each with the option that it shows: alone, and with operands."""
    operands = " ".join(filter(None, (_operand(entry) for entry in node.operands)))
    given = [(option, text) for option in dict.fromkeys(node.options.values()) for text in _given(option)]
    for option, head in [(None, words), *((option, f"{words} {text}") for option, text in given)]:
        yield option, head
        if operands:
            yield option, f"{head} {operands}"


def _given(option: Option) -> Iterator[str]:
    """The option with its arguments, attached where they are optional."""
    name = option.name.replace("?", "\\?")
    values = [_FILLING.get(one.type) if one.type != "values" else one.values[0] for one in option.takes]
    if option.takes and option.takes[0].optional:
        yield name
        if values[0] is not None:
            yield f"{name}{'=' if name.startswith('--') else ''}{values[0]}"
    elif all(value is not None for value in values):
        yield " ".join([name, *(value for value in values if value is not None)])


def _operand(entry: Operand) -> str | None:
    if entry.only_with:
        return None
    if entry.takes.type == "script":
        return "p" if entry.takes.language == "sed" else "1"
    return (entry.takes.values[0] if entry.takes.values else None) or _FILLING.get(entry.takes.type)
