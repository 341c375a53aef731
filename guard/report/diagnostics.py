"""Diagnostics as text, JSON and GitHub annotations."""

from __future__ import annotations

import json

from guard.model.diagnostic import Diagnostic
from guard.model.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def as_text(found: list[Diagnostic]) -> str:
    """One line for each: `path:line:column: severity code: message`."""
    return "".join(
        f"{one.path}:{one.line}:{one.column}: {one.severity} {one.code}: {one.message}"
        + (f" [witness: {one.witness}]" if one.witness else "")
        + "\n"
        for one in found
    )


def as_json(found: list[Diagnostic]) -> str:
    """A JSON array of objects with the fields of Diagnostic; `fix` is null or its message, edits and safety."""
    return json.dumps([_record(one) for one in found], indent=2, ensure_ascii=False) + "\n"


def as_github(found: list[Diagnostic]) -> str:
    """GitHub Actions workflow commands."""
    return "".join(f"::{LEVELS[one.severity]} {_properties(one)}::{_escaped(_message(one))}\n" for one in found)


def _record(one: Diagnostic) -> dict[str, Any]:
    fix = None if one.fix is None else {**one.fix._asdict(), "edits": [edit._asdict() for edit in one.fix.edits]}
    return {**one._asdict(), "fix": fix}


def _properties(one: Diagnostic) -> str:
    end = f",endLine={one.end_line},endColumn={one.end_column}" if one.end_line else ""
    title = f"{one.code} {one.name}".strip()
    path = _escaped(one.path).replace(":", "%3A").replace(",", "%2C")
    return f"file={path},line={one.line},col={one.column}{end},title={title}"


def _message(one: Diagnostic) -> str:
    return (
        one.message + (f"\nwitness: {one.witness}" if one.witness else "") + (f"\nhelp: {one.help}" if one.help else "")
    )


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
