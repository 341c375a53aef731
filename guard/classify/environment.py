"""Which variables a command line may set: `rules/environment.yaml`."""

from __future__ import annotations

from guard.classify.state import digits
from guard.model.argument import Argument
from guard.model.effect import Effect, Kind, Reason
from guard.model.record import TYPE_CHECKING
from guard.model.syntax import Span
from guard.rulebook import Rulebook

if TYPE_CHECKING:
    from typing import Any


def assigned(
    book: Rulebook, name: str, value: Argument | None, exported: bool, span: Span, program: str | None = None
) -> Effect | None:
    """The effect of setting a variable, None where it has none.

    `exported`: it reaches a program's environment (`X=1 cmd`, `export X`). `program` is the command it is set for.
    """
    table = book.data("environment")
    if name in table["numbers"]:
        if value is not None and digits(value):
            return None
        return _effect(name, table["numbers"][name], span)
    if program is not None and program in table.get("harmless_for", {}).get(name, ()):
        return None
    if name in table["harmless_values"]:
        texts = None if value is None else value.alternatives()
        if texts is not None and set(texts) <= {str(text or "") for text in table["harmless_values"][name]}:
            return None
    kind = _entry(table["kinds"], name)
    if kind is not None and not _without(value, table["forbidden"][kind]):
        return _effect(name, str(table["forbidden"][kind]["why"]), span)
    why = _entry(table["dangerous"], name)
    if why is None and (not exported or _entry(table["harmless"], name) is not None):
        return None
    return _effect(name, why, span)


def _without(value: Argument | None, forbidden: dict[str, Any]) -> bool:
    """Whether no text that the value can be has one of the texts in it, or starts with one of the starts."""
    texts = None if value is None else value.alternatives()
    if value is None or texts is not None:
        return texts is not None and not any(
            text in known or known.startswith(tuple(forbidden["starts"]))
            for text in forbidden["texts"]
            for known in texts
        )
    return not any(value.may_contain(text[0]) for text in (*forbidden["texts"], *forbidden["starts"]))


def _effect(name: str, why: str | None, span: Span) -> Effect:
    message = f"setting `{name}`: {why}" if why else f"`{name}` is not on the list of harmless environment variables"
    return Effect(Kind.EXEC, Reason("environment", message, span, "rules/environment.yaml"), name)


def _entry(table: dict[str, Any], name: str) -> str | None:
    """The text of the entry for a name; an entry that ends in `*` stands for all names with that start."""
    if name in table:
        return str(table[name])
    for size in range(len(name), 0, -1):
        found = table.get(name[:size] + "*")
        if found is not None:
            return str(found)
    return None
