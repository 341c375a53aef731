"""What a rule says, as the argv parser reads it. The YAML form is described in docs/rules-format.md.

Records are built from compiled JSON rows by position (`Option(*row)`), so their order is part of `VERSION`.
"""

from __future__ import annotations

from guard.model.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


VERSION = 6
"""Raised when the records change, so that older compiled files are stale."""

DATA_TYPES = frozenset({"text", "number", "pattern", "ref", "url", "suffix", "format"})
CHANGES = frozenset({"write", "replace", "move", "delete"})
"""Types of words that name a file which is changed."""
TYPES = DATA_TYPES | CHANGES | {"read", "glob", "shell", "program", "argv", "script", "values"}
SYNTAXES = ("gnu", "git", "posix", "single", "words")
COUNTS = ("one", "optional", "many")


class Takes(NamedTuple):
    """Type of one argument. `language` for `script`; `values` and `otherwise` (a kind) for `values`."""

    type: str
    optional: bool = False
    language: str = ""
    values: tuple[str, ...] = ()
    otherwise: str = ""


class Option(NamedTuple):
    """`name` is its first spelling; `takes` has one entry for each option-argument; `effect` is a kind or empty.

    `on_operands`: the effect falls on the operands. `line` is in the rule file.
    """

    name: str
    takes: tuple[Takes, ...] = ()
    effect: str = ""
    on_operands: bool = False
    message: str = ""
    instead: str = ""
    prints: str = ""
    line: int = 0


class Operand(NamedTuple):
    """`many` is one of COUNTS; `only_with`/`unless` are option names.

    `starts` is a text that it must start with, otherwise it has the effect `otherwise`. `default` is the word that the
    program takes where none is given for this entry.
    """

    takes: Takes
    many: str
    only_with: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    effect: str = ""
    message: str = ""
    instead: str = ""
    starts: str = ""
    otherwise: str = ""
    line: int = 0
    default: str = ""


class Requires(NamedTuple):
    """Without any of the options `one_of` the call has the effect `otherwise`."""

    one_of: tuple[str, ...]
    otherwise: str
    message: str = ""
    instead: str = ""
    line: int = 0


class Node(NamedTuple):
    """A program or subcommand. `options` maps every spelling; `subcommands` maps every name to a compiled row.

    `bare` and `otherwise` are rows or None. `max_printed` is the most operands for which `prints` holds; -1: any
    number. `prints_for` has claims for calls with one operand of exactly this text; `prints_by` names the code that
    knows more, `prints_names` says that operands are among what is printed, and `check` names the code that looks at
    the place where the program runs.
    """

    name: str
    file: str
    line: int
    summary: str
    syntax: str
    abbreviate: bool
    numeric: bool
    accepts_any: bool
    inert: bool
    builtin: bool
    split: bool
    override: bool
    effect: str
    on_operands: bool
    message: str
    instead: str
    prints: str
    max_printed: int
    prints_for: dict[str, str]
    prints_by: str
    prints_names: bool
    check: str
    refuses_numbers: bool
    language: str
    requires: Requires | None
    options: dict[str, Option]
    operands: tuple[Operand, ...]
    subcommands: dict[str, Any]
    bare: Any
    otherwise: Any

    def place(self, line: int = 0) -> str:
        """`file:line` for a reason; the node's own line where none is given."""
        return f"{self.file}:{line or self.line}"


def node(row: list[Any]) -> Node:
    """A Node from its compiled JSON row (see `guard.rulebook.compile.row`)."""
    *head, requires, options, operands, subcommands, bare, otherwise = row
    shared = [_option(entry) for entry in options[0]]
    return Node._make(
        [
            *head,
            None if requires is None else Requires(tuple(requires[0]), *requires[1:]),
            {spelling: shared[index] for spelling, index in options[1].items()},
            tuple(_operand(entry) for entry in operands),
            subcommands,
            bare,
            otherwise,
        ]
    )


def _takes(row: list[Any]) -> Takes:
    return Takes(row[0], row[1], row[2], tuple(row[3]), row[4])


def _option(row: list[Any]) -> Option:
    return Option(row[0], tuple(_takes(entry) for entry in row[1]), *row[2:])


def _operand(row: list[Any]) -> Operand:
    return Operand(_takes(row[0]), row[1], tuple(row[2]), tuple(row[3]), *row[4:])
