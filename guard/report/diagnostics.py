"""Diagnostics as text, JSON and GitHub annotations."""

from __future__ import annotations

import json

from guard.model.diagnostic import Diagnostic


def as_text(found: list[Diagnostic]) -> str:
    """One line for each: `path:line:column: severity code: message`."""
    return "".join(f"{one.path}:{one.line}:{one.column}: {one.severity} {one.code}: {one.message}\n" for one in found)


def as_json(found: list[Diagnostic]) -> str:
    """A JSON array of objects with the fields of Diagnostic."""
    return json.dumps([one._asdict() for one in found], indent=2) + "\n"


def as_github(found: list[Diagnostic]) -> str:
    """GitHub Actions workflow commands."""
    return "".join(
        f"::{one.severity} file={one.path},line={one.line},col={one.column},title={one.code}::{_escaped(one.message)}\n"
        for one in found
    )


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
