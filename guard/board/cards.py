"""The board: every operation on cards, checked against the pipeline, the lease and the revision.

Checks run on what was read, without a lock; the store appends only if the journal is still at that revision. So a slow
gate never holds anybody up, and a refused operation has written nothing.
"""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from guard.board import card as cards
from guard.board import definition, gates, journal, lease
from guard.board.caller import Caller, named, owns, record_of
from guard.board.card import Card, Claim, Registration
from guard.board.files import FileStore
from guard.board.gates import Preflight
from guard.board.journal import JournalError, Record
from guard.board.lease import Clock, Lease, duration
from guard.board.rejections import BoardError
from guard.board.stages import Pipeline, check_move, moves
from guard.board.storage import Change, Store
from guard.model.grant_json import grant_to_json

CONTENT_LIMIT = 1 << 20
"""Longest artifact and body, in characters."""
_OWN_FILES = frozenset({"card.md", "journal.jsonl", "claim.json"})


class Holding(NamedTuple):
    """A held card's lease as it stands now. `age` is in seconds since the last heartbeat."""

    session: str
    holder: str
    age: float
    stale: bool


class Board:
    """One workspace's board."""

    def __init__(self, store: Store, pipeline: Pipeline, clock: Callable[[], Clock] = Clock.read) -> None:
        self.store = store
        self.pipeline = pipeline
        self.clock = clock

    def card(self, card: str) -> Card:
        """A card, archived or not. BoardError `unknown-card` or `invalid-journal`."""
        return self._replayed(card, self.store.journal(card))

    def each(self) -> Iterator[Card | BoardError]:
        """Every card that is not archived, by number; in the place of one that cannot be read, what is wrong."""
        for name in self.store.ids():
            try:
                card = self.card(name)
            except BoardError as error:
                if error.code != "unknown-card":  # archived in between
                    yield error
            else:
                if not card.archived:
                    yield card

    def preflight(self, card: Card) -> tuple[Preflight, ...]:
        """The gates on the edges out of the card's stage, as they stand."""
        return gates.preflight(self.pipeline, card, lambda found: self.text(card, found))

    def holding(self, card: Card) -> Holding | None:
        """Who holds the card, and since when it has not been heard of."""
        return self._holding(card, self.store.lease(card.id))

    def _holding(self, card: Card, stored: Lease | None) -> Holding | None:
        if card.claim is None:
            return None
        now = self.clock()
        if stored is not None and stored.id == card.claim.lease:
            age = lease.age(stored, now)
        else:
            begun = datetime.fromisoformat(card.claim.at[:-1]).replace(tzinfo=UTC).timestamp()
            age = max(0.0, now.wall - begun)
        return Holding(card.claim.session, named(card.claim.by), age, age >= self.pipeline.stale_after)

    def text(self, card: Card, found: Registration) -> str:
        """An artifact's text. ValueError where it cannot be read or is no longer what was registered."""
        raw = self.store.read(card.id, found.path)
        if found.digest is not None and hashlib.sha256(raw).hexdigest() != found.digest:
            raise ValueError(f"it was changed after it was registered at revision {found.revision}")
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError("it is not UTF-8 text") from None

    def create(self, caller: Caller, title: str, body: str, slug: str | None = None, parent: str | None = None) -> Card:
        """A new card in the first stage."""
        title = " ".join(_clean(title).split())
        if not title:
            raise BoardError("empty-title")
        if slug is not None and not cards.is_slug(slug):
            raise BoardError("invalid-slug", slug=_clean(slug))
        data = {"title": title, "body": _limited(_clean(body), "body"), "stage": self.pipeline.stages[0].id}
        if parent is not None:
            data["parent"] = parent
            self._accept_child(parent, self._parent(parent))
        records = [Record(1, self._at(), record_of(caller), "created", data)]

        def accept(raw: bytes) -> None:
            self._accept_child(str(parent), self._replayed(str(parent), raw))

        card = self.store.create(slug or cards.slug_from(title), records, parent, accept)
        return cards.replay(card, records)

    def transition(self, caller: Caller, card: str, to: str, expected: int, reason: str | None = None) -> Card:
        """One move; into a final stage it ends the lease."""
        found = self._mine(caller, card, expected)
        check_move(self.pipeline, card, found.stage, found.came_from, to, reason)
        records = [self._moved(caller, found, to, found.revision + 1, reason)]
        stage = self.pipeline.stage(to)
        ends = stage is not None and stage.final and found.claim is not None
        if ends:
            records.append(self._record(caller, found.revision + 2, "released"))
        return self._commit(found, Change(expected, records, drop=ends))

    def take(self, caller: Caller, card: str, expected: int) -> tuple[Card, Lease]:
        """The lease, and the move that the pipeline's `take` says; neither without the other."""
        found = self.card(card)
        self._check_free(found)
        self._check_revision(found, expected)
        to = self.pipeline.take.get(found.stage)
        if to is None:
            wanted = next((to for stage, to in self.pipeline.take.items() if to != stage), "the hands of a holder")
            legal = ", ".join(move.to for move in moves(self.pipeline, found.stage, found.came_from)) or "nothing"
            raise BoardError("illegal-edge", id=card, stage=found.stage, to=wanted, moves=legal)
        held = self.lease(caller)
        records = [self._record(caller, expected + 1, "claimed", lease=held.id)]
        if to != found.stage:
            records.append(self._moved(caller, found, to, expected + 2, None))
        return self._commit(found, Change(expected, records, take=held)), held

    def takeover(self, caller: Caller, card: str, expected: int, *, force: bool = False) -> tuple[Card, Lease]:
        """The lease of a holder that has not been heard of for `stale_after`; `force` is for people."""
        found, stored = self.card(card), self.store.lease(card)
        holding = self._holding(found, stored)
        if holding is None:
            raise BoardError("not-owner", id=card, holder="nobody")
        if not holding.stale and not force:
            raise self._claimed(found, holding)
        self._check_revision(found, expected)
        held = self.lease(caller)
        expired = self._record(caller, expected + 1, "claim-expired", holder=holding.session, age=int(holding.age))
        records = [expired, self._record(caller, expected + 2, "claimed", lease=held.id)]
        return self._commit(found, Change(expected, records, take=held, over=None if force else (stored,))), held

    def release(self, caller: Caller, card: str, expected: int) -> Card:
        """Give one's own lease back; the card stays in its stage."""
        found = self._mine(caller, card, expected, needs_lease=True)
        return self._commit(found, Change(expected, [self._record(caller, expected + 1, "released")], drop=True))

    def attach(
        self,
        caller: Caller,
        card: str,
        expected: int,
        *,
        path: str | None = None,
        kind: str | None = None,
        content: str | None = None,
    ) -> Card:
        """Register a deliverable; a malformed one too, since its defects are part of the result."""
        if path is not None and (kind is not None or content is not None):
            raise BoardError("artifact-form", problem="Both path and kind or content were given.")
        if path is None and (kind is None or content is None):
            raise BoardError("artifact-form", problem="Neither a path nor both kind and content were given.")
        if kind is not None and not definition.is_kind(kind):
            raise BoardError("invalid-kind", kind=_clean(kind))
        found = self._mine(caller, card, expected)
        if path is not None:
            data = {"path": self._inside(found, path), "stage": found.stage}
            return self._commit(found, Change(expected, [self._record(caller, expected + 1, "artifact", **data)]))
        raw = _limited(_clean(content or ""), "content").encode()
        name = f"{expected + 1}-{kind}.md"
        data = {"path": f"artifacts/{name}", "kind": str(kind), "stage": found.stage}
        record = self._record(caller, expected + 1, "artifact", **data, sha256=hashlib.sha256(raw).hexdigest())
        return self._commit(found, Change(expected, [record], artifact=(name, raw)))

    def artifact(self, card: str, kind: str) -> tuple[Registration, str]:
        """The newest artifact of a kind, and its text."""
        if not definition.is_kind(kind):
            raise BoardError("invalid-kind", kind=_clean(kind))
        found = self.card(card)
        newest = found.newest(kind)
        if newest is None:
            kinds = ", ".join(dict.fromkeys(entry.kind for entry in found.artifacts if entry.kind)) or "none"
            raise BoardError("no-artifact", id=card, kind=kind, kinds=kinds)
        try:
            return newest, self.text(found, newest)
        except ValueError as error:
            raise BoardError("storage-failed", file=f"{card}/{newest.path}", problem=error) from None

    def archive(self, caller: Caller, card: str, expected: int, reason: str | None = None) -> Card:
        """Set a settled card aside, or with a reason any card; ends the caller's own lease."""
        found = self._mine(caller, card, expected, archived=True)
        stage = self.pipeline.stage(found.stage)
        records = []
        if not found.archived:
            if not (stage is not None and stage.final) and not (reason or "").strip():
                raise BoardError("not-settled", id=card, stage=found.stage)
            data = {"reason": _clean(reason)} if reason else {}
            if found.claim is not None:
                records.append(self._record(caller, expected + 1, "released"))
            records.append(self._record(caller, expected + len(records) + 1, "archived", **data))
        change = Change(expected, records, drop=found.claim is not None)
        self.store.archive(card, change, self._at()[:7])
        return cards.replay(card, [*found.history, *records])

    def restore(self, caller: Caller, card: str, expected: int) -> Card:
        """Bring an archived card back into the stage it was in."""
        found = self._mine(caller, card, expected, archived=True)
        records = [self._record(caller, expected + 1, "restored")] if found.archived else []
        self.store.restore(card, Change(expected, records))
        return cards.replay(card, [*found.history, *records])

    def renew(self, card: str, held: Lease) -> bool:
        """The heartbeat: False once the lease is no longer the caller's."""
        return self.store.renew(card, held._replace(renewed=self.clock()))

    def _commit(self, found: Card, change: Change) -> Card:
        after = cards.replay(found.id, [*found.history, *change.records])
        try:
            self.store.commit(found.id, change)
        except JournalError as error:
            raise self._invalid(found.id, error) from None
        return after

    def _replayed(self, card: str, raw: bytes) -> Card:
        try:
            return cards.replay(card, journal.parse(raw))
        except JournalError as error:
            raise self._invalid(card, error) from None

    def _invalid(self, card: str, error: JournalError) -> BoardError:
        file = os.path.relpath(os.path.join(self.store.folder(card), "journal.jsonl"), self.store.root)
        repair = " --repair" if error.torn else ""
        return BoardError(
            "invalid-journal",
            file=file, line=error.line, problem=error.problem, id=card, repair=repair, root=self.store.root,
        )  # fmt: skip

    def _mine(
        self, caller: Caller, card: str, expected: int, *, needs_lease: bool = False, archived: bool = False
    ) -> Card:
        """The card, if the caller may change it at this revision: it is free, or the caller's."""
        found = self.card(card)
        if found.archived and not archived:
            raise BoardError("unknown-card", id=card)
        if found.claim is None and needs_lease:
            raise BoardError("not-owner", id=card, holder="nobody")
        if found.claim is not None and not owns(found.claim.by, caller):
            raise BoardError("not-owner", id=card, holder=named(found.claim.by))
        self._check_revision(found, expected)
        return found

    def _check_free(self, found: Card) -> None:
        holding = self.holding(found)
        if found.archived:
            raise BoardError("unknown-card", id=found.id)
        if holding is not None:
            raise self._claimed(found, holding)

    def _check_revision(self, found: Card, expected: int) -> None:
        if found.revision != expected:
            raise BoardError("revision-mismatch", id=found.id, actual=found.revision, expected=expected)

    def _claimed(self, found: Card, holding: Holding) -> BoardError:
        stale = duration(self.pipeline.stale_after)
        return BoardError("claimed", id=found.id, holder=holding.holder, age=duration(holding.age), stale=stale)

    def _parent(self, parent: str) -> Card:
        try:
            return self.card(parent)
        except BoardError as error:
            if error.code == "unknown-card":
                raise BoardError("unknown-parent", parent=_clean(parent)) from None
            raise

    def _accept_child(self, parent: str, found: Card) -> None:
        if found.parent is not None:
            raise BoardError("nested-parent", parent=parent, grandparent=found.parent)
        stage = self.pipeline.stage(found.stage)
        if found.archived or (stage is not None and stage.final):
            raise BoardError("parent-settled", parent=parent, stage="archived" if found.archived else found.stage)

    def _moved(self, caller: Caller, found: Card, to: str, revision: int, reason: str | None) -> Record:
        """The transition's record, if its gate is satisfied."""
        data: dict[str, object] = {"from": found.stage, "to": to}
        if reason and reason.strip():
            data["reason"] = _clean(reason.strip())
        gate = self.pipeline.gate(found.stage, to)
        if gate is not None:
            judged = gates.judge_gate(gate, found, lambda entry: self.text(found, entry))
            if not judged.satisfied:
                raise BoardError("gate-unsatisfied", id=found.id, stage=found.stage, to=to, defects=judged.described())
            data["checks"] = [
                {"kind": entry.requirement.kind, "path": entry.newest.path, "revision": entry.newest.revision}
                for entry in judged.judged
                if entry.newest is not None
            ]
        return self._record(caller, revision, "transition", **data)

    def _inside(self, found: Card, path: str) -> str:
        folder = os.path.realpath(self.store.folder(found.id))
        real = os.path.realpath(os.path.join(folder, path))
        relative = os.path.relpath(real, folder)
        try:
            self.store.read(found.id, relative)
        except ValueError as error:
            raise BoardError("artifact-form", problem=f"'{_clean(path)}' cannot be attached: {error}.") from None
        number = relative.removeprefix("artifacts/").partition("-")[0]
        if relative in _OWN_FILES or (relative.startswith("artifacts/") and number.isdecimal()):
            raise BoardError("artifact-form", problem=f"'{relative}' is a file, or a name, of the board's own.")
        return relative

    def lease(self, caller: Caller, claim: Claim | None = None) -> Lease:
        """A new lease of the caller, or the one of its `claim`, with the grants that the hook is to apply."""
        total = len(self.pipeline.stages)
        stages = {
            stage.id: {"number": number, "total": total, "hard": stage.hard, "guard": grant_to_json(stage.guard)}
            for number, stage in enumerate(self.pipeline.stages, 1)
            if stage.guard is not None
        }
        return Lease(
            claim.lease if claim else uuid.uuid4().hex,
            caller.session,
            named(record_of(caller)),
            self.clock(),
            os.getpid(),
            stages,
        )

    def _record(self, caller: Caller, revision: int, kind: str, /, **data: object) -> Record:
        return Record(revision, self._at(), record_of(caller), kind, data)

    def _at(self) -> str:
        return datetime.fromtimestamp(self.clock().wall, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def open_board(root: str, environ: Mapping[str, str]) -> Board:
    """The board of a workspace, with the pipeline that holds there. Raises RuleError for a wrong pipeline."""
    root = os.path.realpath(root)
    return Board(FileStore(root), definition.load(definition.find(root, environ)))


def _clean(text: str) -> str:
    """Text that can be stored and sent: no lone surrogates, no NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def _limited(text: str, what: str) -> str:
    if len(text) > CONTENT_LIMIT:
        raise BoardError("too-long", what=what, limit=CONTENT_LIMIT)
    return text
