"""Reads the decision log. A line that was cut short (a full disk, a lost machine) costs that line alone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from guard.store.decisions import aside, log_path

START = b'{"id":'


def records(environ: Mapping[str, str], *, newest_file: bool = False) -> Iterator[dict[str, Any]]:
    """The records of all files, oldest first; none where there is no log."""
    path = log_path(environ)
    if path is None:
        return
    folder = os.path.dirname(path)
    older = [] if newest_file or not os.path.isdir(folder) else [os.path.join(folder, name) for name in aside(folder)]
    for place in (*older, path):
        try:
            with open(place, "rb") as file:
                for line in file:
                    record = parsed(line)
                    if record is not None:
                        yield record
        except FileNotFoundError:
            continue


def newest_first(environ: Mapping[str, str]) -> list[dict[str, Any]]:
    """All records, the newest first."""
    return list(records(environ))[::-1]


def parsed(line: bytes) -> dict[str, Any] | None:
    """The record of a line; of one that begins with a torn record, the whole one behind it."""
    try:
        found = json.loads(line[max(line.rfind(START), 0) :])
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
