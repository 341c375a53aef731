"""The journal of a card: one JSON object per line, the authority for every move.

A line is `{"rev": 1, "at": "2026-01-31T12:00:00.000000Z", "by": {"kind": "agent", …}, "type": "created", …}`. Revisions
are contiguous from 1. Records that belong to one change are appended in one write, all but the last marked
`"more": true`: an append that was cut off takes no effect, whether it ends inside a line or between two.
Standard library only: the hook reads journals too.
"""

from __future__ import annotations

import json
from datetime import datetime

from guard.model.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

TYPES = frozenset({"created", "transition", "artifact", "claimed", "claim-expired", "released", "archived", "restored"})
KINDS = frozenset({"agent", "human", "command"})


class Record(NamedTuple):
    """One journal line; `data` is what its type adds to `rev`, `at`, `by`."""

    rev: int
    at: str
    by: dict[str, Any]
    type: str
    data: dict[str, Any]


class JournalError(Exception):
    """A line that is not a record. `torn`: an append was cut off, and the bytes before `keep` are whole."""

    def __init__(self, line: int, problem: str, *, torn: bool = False, keep: int = 0) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem
        self.torn = torn
        self.keep = keep


def encode(records: list[Record]) -> bytes:
    """The lines of one append."""
    lines = []
    for index, record in enumerate(records):
        more = {"more": True} if index + 1 < len(records) else {}
        fields = {"rev": record.rev, "at": record.at, "by": record.by, "type": record.type, **record.data, **more}
        lines.append(json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n")
    return "".join(lines).encode()


def looks_whole(raw: bytes) -> bool:
    """Whether the end of a journal can be that of an append; cheap, and false while somebody is appending."""
    last = raw[raw.rfind(b"\n", 0, -1) + 1 :]
    return last.endswith(b"}\n") and not last.endswith(b'"more":true}\n')


def parse(raw: bytes) -> list[Record]:
    """All records of a journal. Raises JournalError at the first line that is none."""
    records, problem = parse_prefix(raw)
    if problem is not None:
        raise problem
    return records


def parse_prefix(raw: bytes) -> tuple[list[Record], JournalError | None]:
    """The records of the appends that are whole, and the problem that ends them, if any."""
    records: list[Record] = []
    whole, offset, begun = 0, 0, 0
    lines = raw.split(b"\n")
    for number, line in enumerate(lines, 1):
        if number == len(lines):
            if line:
                return records[:begun], JournalError(number, "an append was cut off here", torn=True, keep=whole)
            break
        try:
            record, more = _record(line, len(records) + 1)
        except ValueError as error:
            return records[:begun], JournalError(number, str(error))
        records.append(record)
        offset += len(line) + 1
        if not more:
            whole, begun = offset, len(records)
    if begun < len(records):
        return records[:begun], JournalError(begun + 1, "an append was cut off here", torn=True, keep=whole)
    if not records:
        return [], JournalError(1, "the journal is empty")
    return records, None


def _record(line: bytes, expected: int) -> tuple[Record, bool]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("not a JSON object") from None
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")
    rev = fields.pop("rev", None)
    if type(rev) is not int or rev != expected:
        raise ValueError(f"rev: expected {expected} (got {json.dumps(rev)})")
    at = fields.pop("at", None)
    if not _is_utc(at):
        raise ValueError(f"at: expected a UTC time such as 2026-01-31T12:00:00Z (got {json.dumps(at)})")
    by = fields.pop("by", None)
    if not isinstance(by, dict) or by.get("kind") not in KINDS:
        raise ValueError(f"by: expected an object whose kind is agent, human or command (got {json.dumps(by)})")
    kind = fields.pop("type", None)
    if kind not in TYPES:
        raise ValueError(f"type: expected one of {', '.join(sorted(TYPES))} (got {json.dumps(kind)})")
    more = fields.pop("more", False)
    return Record(rev, at, by, kind, fields), more is True


def _is_utc(at: object) -> bool:
    if not isinstance(at, str) or not at.endswith("Z"):
        return False
    try:
        datetime.fromisoformat(at[:-1])
    except ValueError:
        return False
    return "T" in at
