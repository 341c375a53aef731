"""bashlex's parser with its LALR tables from `tables.py`, instead of building them at every import.

The tables are used only if bashlex's grammar is, word for word, the one they were made from; else bashlex builds its
own, as it always does.
"""

from __future__ import annotations

import sys

from guard.model.record import TYPE_CHECKING, NamedTuple
from guard.shell.light import StandIn

if TYPE_CHECKING:
    from typing import Any


class Tables(NamedTuple):
    """What the parser generator makes of the grammar.

    `productions` are (name, length, function); `actions` and `gotos` hold for each state a flat tuple of symbol and
    number pairs.
    """

    grammar: str
    productions: tuple[tuple[str, int, str | None], ...]
    actions: tuple[tuple[str | int, ...], ...]
    gotos: tuple[tuple[str | int, ...], ...]


class _Production:
    """What the parsing loop needs of a production."""

    __slots__ = ("callable", "len", "name", "str")

    def __init__(self, name: str, length: int, function: Any) -> None:
        self.name = name
        self.len = length
        self.callable = function
        self.str = name


class _Table:
    def __init__(self, tables: Tables, functions: dict[str, Any]) -> None:
        self.lr_productions = [
            _Production(name, length, functions[function] if function else None)
            for name, length, function in tables.productions
        ]
        self.lr_action = {state: _pairs(row) for state, row in enumerate(tables.actions)}
        self.lr_goto = {state: _pairs(row) for state, row in enumerate(tables.gotos) if row}


def _pairs(row: tuple[str | int, ...]) -> dict[str | int, str | int]:
    return dict(zip(row[::2], row[1::2], strict=True))


def grammar_text(functions: dict[str, Any]) -> str:
    """The grammar of bashlex's parser module: its tokens, precedences and productions, in their order."""
    found = [" ".join(functions["tokens"]), repr(functions["precedence"])]
    rules = [
        (function.__code__.co_firstlineno, name, function.__doc__)
        for name, function in functions.items()
        if name.startswith("p_") and name != "p_error"
    ]
    found += [f"{name} {' '.join((doc or '').split())}" for _, name, doc in sorted(rules)]
    return "\n".join(found)


def load() -> Any:
    """The module `bashlex.parser`."""
    if "bashlex.parser" in sys.modules:
        return sys.modules["bashlex.parser"]
    try:
        from guard.shell import tables
    except ImportError:
        return _built()
    try:
        with StandIn("bashlex", package=True), StandIn("inspect"), StandIn("copy", names={"copy": _copy}):
            return _with(Tables(tables.GRAMMAR, tables.PRODUCTIONS, tables.ACTIONS, tables.GOTOS))
    except Exception:  # another bashlex than the one the tables are for
        for name in [name for name in sys.modules if name == "bashlex" or name.startswith("bashlex.")]:
            del sys.modules[name]
        return _built()


def _copy(value: Any) -> Any:
    """What bashlex uses `copy` for: a shallow copy of the plain object that is its parser."""
    if not hasattr(value, "__dict__"):
        return type(value)(value)
    other = object.__new__(type(value))
    other.__dict__.update(value.__dict__)
    return other


def _built() -> Any:
    import bashlex.parser

    return bashlex.parser


def _with(tables: Tables) -> Any:
    from bashlex import yacc

    original = yacc.yacc

    def ready_made(**_: object) -> Any:
        functions = sys._getframe(1).f_globals
        if grammar_text(functions) != tables.grammar:
            raise ImportError("the tables are for another grammar")
        return yacc.LRParser(_Table(tables, functions), functions["p_error"])

    yacc.yacc = ready_made
    try:
        from bashlex import parser
    finally:
        yacc.yacc = original
    return parser
