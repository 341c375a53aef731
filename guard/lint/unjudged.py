"""Judgements that a scaffold left to be made: texts of a rule that begin with TODO."""

from __future__ import annotations

from collections.abc import Iterator

from guard.lint.own_pages import own
from guard.model.diagnostic import Diagnostic
from guard.rulebook.yaml_source import Value

_MARK = "TODO"
_TEXTS = ("summary", "source", "message", "instead")


def check(value: Value) -> Iterator[Diagnostic]:
    """A finding for each text of the file that is still to be judged, in the order of the file."""
    inner = value.data
    for key, one in inner.items() if isinstance(inner, dict) else ():
        if key in _TEXTS and isinstance(one.data, str) and one.data.startswith(_MARK):
            said = one.data.removeprefix(_MARK).lstrip(": ")
            yield own(one.fail(""), "O810", f"still to be judged: {key}: {said or 'nothing is said'}")
        else:
            yield from check(one)
    for one in inner if isinstance(inner, list) else ():
        yield from check(one)
