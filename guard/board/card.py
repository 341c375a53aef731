"""A card: what its journal says. Pure; standard library only, since the hook replays the cards that are held."""

from __future__ import annotations

import json

from guard.board.journal import JournalError, Record
from guard.model.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

SLUG_LIMIT = 48
_SLUG = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


class Registration(NamedTuple):
    """An artifact. `path` is relative to the card's folder; `digest` (sha256) is known where the board wrote it."""

    path: str
    kind: str | None
    stage: str
    revision: int
    at: str
    digest: str | None


class Claim(NamedTuple):
    """Who holds the card: the journal's side of the lease. `revision` is that of the `claimed` record."""

    lease: str
    by: dict[str, Any]
    revision: int
    at: str

    @property
    def session(self) -> str:
        """The owning session's id."""
        return str(self.by.get("session") or self.by.get("name") or "")


class Card(NamedTuple):
    """`came_from` is the stage before the current one; `revision` that of the last record."""

    id: str
    title: str
    body: str
    parent: str | None
    stage: str
    came_from: str | None
    revision: int
    created: str
    updated: str
    claim: Claim | None
    artifacts: tuple[Registration, ...]
    archived: bool
    history: tuple[Record, ...]

    def newest(self, kind: str) -> Registration | None:
        """The newest registration of a kind; readers and gates take only this one."""
        return next((found for found in reversed(self.artifacts) if found.kind == kind), None)


def replay(card: str, records: list[Record]) -> Card:
    """The card that `records` describe. Raises JournalError where a record contradicts those before it."""
    first = records[0]
    if first.type != "created":
        raise JournalError(1, f"type: expected created (got {first.type})")
    title, body, stage = (_text(first, 1, key) for key in ("title", "body", "stage"))
    parent = first.data.get("parent")
    came_from: str | None = None
    claim: Claim | None = None
    archived = False
    artifacts: list[Registration] = []
    for record in records[1:]:
        line = record.rev
        if archived and record.type != "restored":
            raise JournalError(line, f"{record.type}: the card was archived before")
        if record.type == "created":
            raise JournalError(line, "created: stands only on line 1")
        if record.type == "transition":
            if _text(record, line, "from") != stage:
                raise JournalError(line, f"from: expected {stage} (got {record.data['from']})")
            came_from, stage = stage, _text(record, line, "to")
        elif record.type == "artifact":
            kind, digest = record.data.get("kind"), record.data.get("sha256")
            path, during = _text(record, line, "path"), _text(record, line, "stage")
            artifacts.append(Registration(path, kind, during, line, record.at, digest))
        elif record.type == "claimed":
            if claim is not None:
                raise JournalError(line, f"claimed: {claim.session} holds the card since line {claim.revision}")
            claim = Claim(_text(record, line, "lease"), record.by, line, record.at)
        elif record.type in ("released", "claim-expired"):
            if claim is None:
                raise JournalError(line, f"{record.type}: nobody holds the card")
            claim = None
        elif record.type == "archived":
            archived = True
        else:
            if not archived:
                raise JournalError(line, "restored: the card is not archived")
            archived = False
    last = records[-1]
    return Card(
        card, title, body, parent if isinstance(parent, str) else None, stage, came_from, last.rev,
        first.at, last.at, claim, tuple(artifacts), archived, tuple(records),
    )  # fmt: skip


def _text(record: Record, line: int, key: str) -> str:
    value = record.data.get(key)
    if not isinstance(value, str):
        raise JournalError(line, f"{key}: expected text (got {json.dumps(value)})")
    return value


def is_slug(text: str) -> bool:
    """Whether `text` may stand after the number of an id."""
    return 0 < len(text) <= SLUG_LIMIT and text[0] != "-" and _SLUG.issuperset(text)


def slug_from(title: str) -> str:
    """The slug of a title: its ASCII letters and digits, dashes between them, `card` where there are none."""
    from unicodedata import normalize  # not at the top: only creators need it, and the hook imports this module

    plain = (char for char in normalize("NFKD", title.lower()) if not "\u0300" <= char <= "\u036f")
    words = "".join(char if char in _SLUG and char != "-" else " " for char in plain).split()
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word[:SLUG_LIMIT]
        if len(longer) > SLUG_LIMIT:
            break
        slug = longer
    return slug or "card"


def number_of(card: str) -> int:
    """The number of an id; 0 for text that is no id (`NNNN-slug`, four digits or more)."""
    number, dash, slug = card.partition("-")
    if not dash or len(number) < 4 or not (number.isascii() and number.isdecimal()) or not is_slug(slug):
        return 0
    return int(number)


def project(card: Card) -> str:
    """card.md: YAML front matter and the Markdown body, for people. Never read back."""
    lines = ["---"]
    fields: list[tuple[str, object]] = [
        ("id", card.id), ("title", card.title), ("stage", card.stage), ("revision", card.revision),
        ("parent", card.parent), ("created", card.created), ("updated", card.updated),
    ]  # fmt: skip
    # JSON text is YAML too: a title with a colon, a quote or a newline needs no rule of its own.
    lines += [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in fields if value is not None]
    if card.artifacts:
        lines.append("artifacts:")
        for found in card.artifacts:
            kind = f"kind: {found.kind}, " if found.kind else ""
            path = json.dumps(found.path, ensure_ascii=False)
            lines.append(f"  - {{{kind}path: {path}, revision: {found.revision}, stage: {found.stage}}}")
    return "\n".join([*lines, "---", "", f"# {card.title}", "", card.body.strip("\n"), ""])
