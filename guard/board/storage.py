"""What the board needs of a store. `guard.board.files` is the one there is; docs/board-storage.md has the next.

A store keeps journals, artifacts and leases, makes each change whole or not at all, and knows nothing of stages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from guard.board.journal import Record
from guard.board.lease import Lease


class Change(NamedTuple):
    """One change of a card: `records` follow the revision `expected`.

    `take` is the lease that the change begins, `drop` says that it ends one. `over` is the stored lease that was found
    stale (a tuple of one, since there may be none): if it was renewed since, nothing is done. `artifact` is a file name
    and its content.
    """

    expected: int
    records: list[Record]
    take: Lease | None = None
    drop: bool = False
    over: tuple[Lease | None] | None = None
    artifact: tuple[str, bytes] | None = None


class Store(Protocol):
    """Every method may raise BoardError `storage-failed`; those that name a card, `unknown-card`."""

    root: str

    def ids(self) -> list[str]:
        """Ids of all cards that are not archived, by number."""

    def folder(self, card: str) -> str:
        """Where the card's files are (archived or not)."""

    def journal(self, card: str) -> bytes:
        """The card's journal as it is."""

    def lease(self, card: str) -> Lease | None:
        """The lease, where a readable one is stored; whether it counts is the journal's to say."""

    def read(self, card: str, path: str) -> bytes:
        """A file under the card's folder. Raises ValueError with the reason where it cannot be read."""

    def create(self, slug: str, records: list[Record], parent: str | None, accept: Callable[[bytes], None]) -> str:
        """Store a new card under the next number; its id. `accept` sees the parent's journal while it cannot change
        and may raise."""

    def commit(self, card: str, change: Change) -> None:
        """Append, or raise `write-contended` when the journal is no longer at `change.expected`, or the lease no longer
        the one that is taken over."""

    def renew(self, card: str, lease: Lease) -> bool:
        """Store a heartbeat; False where the card's lease is no longer this one."""

    def archive(self, card: str, change: Change, month: str) -> None:
        """`commit`, and set the card aside under `month` (`2026-01`)."""

    def restore(self, card: str, change: Change) -> None:
        """`commit`, and bring an archived card back."""
