"""What passes and what is vetoed, read off a rule: for the table of all rules and for `explain`.

A rule declares most of it. What a language module judges it does not declare: there the examples that are vetoed show
which parts of a command have which effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from guard.classify import classify
from guard.model.effect import Kind
from guard.model.grant import READ_ONLY
from guard.prove.examples import PLACE
from guard.prove.options import commands, only_reads
from guard.rulebook import Rulebook, schema
from guard.rulebook.schema import DATA_TYPES, Node, Operand, Option, Takes

WORDS = {
    Kind.READ_SECRET: "prints secrets",
    Kind.NET_READ: "reads over the network",
    Kind.NET_WRITE: "sends over the network",
    Kind.WRITE: "writes files",
    Kind.DELETE: "deletes files",
    Kind.REPO: "changes the repository",
    Kind.PROCESS: "acts on processes",
    Kind.SYSTEM: "changes the system",
    Kind.BUILD: "builds, installs or fills caches",
    Kind.EXEC: "runs other code",
    Kind.OPAQUE: "cannot be decided",
}
_BY_TYPE = {"write": Kind.WRITE, "replace": Kind.WRITE, "move": Kind.WRITE, "delete": Kind.DELETE, "program": Kind.EXEC}
_JUDGED = {"shell": "a shell command that passes itself", "argv": "a command that passes itself"}
ALONE = "alone"
"""A program without a subcommand or operand."""
_LONGEST = 28


class Facts(NamedTuple):
    """Names of subcommands, options and operands: those that pass, and by effect those that are vetoed for it."""

    passes: tuple[str, ...]
    vetoed: dict[Kind, tuple[str, ...]]


def facts(book: Rulebook, words: str, node: Node, examples: Sequence[tuple[str, str]]) -> Facts:
    """What the rule of a program or subcommand (`words` call it) says; `examples` are its (verdict, command) pairs."""
    passes: dict[str, None] = {}
    vetoed: dict[Kind, dict[str, None]] = {}
    root = book.rule(words.split(" ")[0])
    judged = _has_language(node) or (root is not None and bool(root.language))
    found = [*_node(book if judged else None, words, node, ""), *(_shown(book, node, examples) if judged else ())]
    for kind, name in found:
        if kind is None:
            passes[name] = None
        else:
            vetoed.setdefault(kind, {})[name] = None
    if judged and not any(verdict == "allow" for verdict, _ in examples):
        passes = {}  # its language lets nothing through
    return Facts(tuple(passes), {kind: tuple(vetoed[kind]) for kind in WORDS if kind in vetoed})


Fact = tuple[Kind | None, str]
"""The name of a part, with the effect that it is vetoed for, or None where it passes."""


def _node(judge: Rulebook | None, words: str, node: Node, path: str) -> Iterator[Fact]:
    """The facts of a node; `path` are the words below the program, empty for the program itself.

    `judge` is there where a language has a say: what it is said to pass is tried then.
    """
    start = f"{path} " if path else ""
    kind = _kind(node.effect)
    if kind is not None:
        yield kind, (path or "any call") + (" with operands" if node.on_operands else "")
        return
    options = list(dict.fromkeys(node.options.values()))
    branches = list(_branches(node))
    if node.requires is not None:
        yield Kind(node.requires.otherwise), f"{start}without {', '.join(node.requires.one_of[:3])}"
    for option in options:
        yield from ((kind, f"{start}{option.name}") for kind in _kinds_of_option(option))
    if node.split:
        yield None, "subcommands with rules of their own"
    if branches or node.split:
        for name, inner in branches:
            below = words if name == ALONE else f"{words} {name}"
            yield from _node(judge, below, inner, f"{start}{name}")
        return
    passing = [(option, line) for option, line in commands(words, node) if judge is None or only_reads(judge, line)]
    if path and passing:
        yield None, path
    elif not path:
        yield from _leaf(node, dict.fromkeys(option for option, _ in passing if option is not None))
    for entry in node.operands:
        yield from ((kind, f"{start}{_operand(entry)}") for kind in _kinds_of_operand(entry))


def _branches(node: Node) -> Iterator[tuple[str, Node]]:
    if node.bare is not None:
        yield ALONE, schema.node(node.bare)
    for name, row in node.subcommands.items():
        if isinstance(row, list):
            yield name, schema.node(row)
    if node.otherwise is not None:
        yield "other subcommands", schema.node(node.otherwise)


def _leaf(node: Node, options: Iterable[Option]) -> Iterator[Fact]:
    """What passes of a program without subcommands: operands, then options."""
    if not node.operands or all(_kind_of_type(one.takes) or _kind(one.effect) for one in node.operands):
        yield None, "operands" if node.language and not node.operands else "the call without operands"
        if node.operands:
            return
    for entry in node.operands:
        kinds = list(_kinds_of_operand(entry))
        if entry.takes.type == "read" and not kinds:
            yield None, "files to read"
        elif entry.takes.type == "script":
            yield None, f"a script in {entry.takes.language} that only reads"
        elif entry.takes.type in _JUDGED:
            yield None, _JUDGED[entry.takes.type]
        elif entry.takes.type in (*DATA_TYPES, "values") and not entry.effect:
            yield None, "operands"
    for option in options:
        if not list(_kinds_of_option(option)) or any(takes.type == "values" for takes in option.takes):
            yield None, option.name


def _kind(effect: str) -> Kind | None:
    """The kind of a declared effect, None for reading."""
    kind = Kind(effect) if effect else Kind.READ
    return None if kind in READ_ONLY else kind


def _kinds_of_option(option: Option) -> Iterator[Kind]:
    found = [_kind(option.effect), *(_kind_of_type(takes) for takes in option.takes)]
    return (kind for kind in dict.fromkeys(found) if kind is not None)


def _kinds_of_operand(entry: Operand) -> Iterator[Kind]:
    found = [_kind(entry.effect), _kind_of_type(entry.takes), _kind(entry.otherwise)]
    return (kind for kind in dict.fromkeys(found) if kind is not None)


def _kind_of_type(takes: Takes) -> Kind | None:
    return _kind(takes.otherwise or "opaque") if takes.type == "values" else _BY_TYPE.get(takes.type)


def _operand(entry: Operand) -> str:
    if entry.only_with:
        return f"operands with {entry.only_with[0]}"
    return "operands other than " + ", ".join(entry.takes.values[:3]) if entry.takes.values else "operands"


def _has_language(node: Node) -> bool:
    """Whether anything in the rule is judged by a module of `guard.languages`."""
    takes = [one for option in node.options.values() for one in option.takes] + [one.takes for one in node.operands]
    inner = (_has_language(branch) for _, branch in _branches(node))
    return bool(node.language) or any(one.type == "script" for one in takes) or any(inner)


def _shown(book: Rulebook, node: Node, examples: Sequence[tuple[str, str]]) -> Iterator[Fact]:
    """The parts of vetoed examples that this rule vetoes, each with its effect."""
    for command in (line for verdict, line in examples if verdict == "veto"):
        for kind, reason, _ in classify(command, PLACE, book).effects:
            part = command[reason.span.start : reason.span.end]
            own = (reason.rule or "").startswith(f"{node.file}:") and not reason.code.startswith("unknown-")
            if own and part and kind not in READ_ONLY:
                yield kind, part if len(part) <= _LONGEST else part[: _LONGEST - 1] + "…"
